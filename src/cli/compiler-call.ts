/** Tells a call of the C compiler, which has the same name, from one of ours. Pure. */

/** Sources, objects and libraries, as a compiler takes them. */
const FILE =
  /^[^\s-][^\s]*\.(?:c|cc|cp|cpp|cxx|c\+\+|C|h|hh|hpp|hxx|i|ii|m|mm|s|S|sx|f|F|f90|d|go|o|obj|a|so|lo|la|lib)$/;
/** First words that only a compiler takes. */
const OPTION = new RegExp(
  [
    '^(?:-[cESxvgOwsrH]$|-o.*|-x\\S+|-l\\S+|-[ILDU].*|-[gO]\\S+|-W\\S+|-[fm][a-z]\\S*|-std=\\S+|-M[A-Z]*$|-M[FTQ].*)$',
    '^-(?:pipe|pthread|shared|static\\S*|pedantic\\S*|ansi|rdynamic|pg?|no-?pie|pie|nostd\\S+|nodefaultlibs)$',
    '^-(?:include|isystem|iquote|idirafter|print-\\S+|dump\\S+|###|Xlinker|Xassembler|Xpreprocessor|arch)$',
    '^@.+',
  ].join('|'),
);
/** What says so elsewhere in a line that begins with another option. */
const SAYS_SO = /^-[cES]$|^-o/;
/** Options with which a line of ours may begin. */
const OURS =
  /^(?:--(?:json|cwd|session|no-input|no-hooks|help|version|approve|reject|revise|edit|step|diff)(?:=.*)?|-h|-V|-interview)$/;

/** @param program As it was called: under another name it is never the compiler. */
export function isCompilerCall(program: string, argv: readonly string[]): boolean {
  const name = program.split(/[\\/]/).at(-1);
  const [first] = argv;
  if (name !== 'cc' || first === undefined || OURS.test(first)) return false;
  if (FILE.test(first) || OPTION.test(first)) return true;
  return first.startsWith('-') && argv.some((word) => FILE.test(word) || SAYS_SO.test(word));
}
