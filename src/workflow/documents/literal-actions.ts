/** Code blocks that say to the letter what is to be done. */
import type { Code } from './block-model.ts';
import type { Findings } from './findings.ts';
import type { LiteralAction } from './plan-model.ts';
import { relativePathOf } from './relative-path.ts';
import type { SourceText } from './source-text.ts';

type Info = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' | 'run' };

const FILE =
  /^(?:[^\s=]+[ \t]+)?file=(?:"(?<double>[^"]+)"|'(?<single>[^']+)'|(?<bare>[^\s"']\S*))$/;
const NEARLY =
  /(?:^|\s)file[ \t]*=|^(?:diff|patch)[ \t]+apply\b|^(?:sh|bash|shell|zsh)[ \t]+run\b/i;

/** Only exactly these words make a block an action. */
function infoOf(code: Code): Info | undefined {
  const { info: words } = code;
  if (words === 'diff apply') return { kind: 'diff' };
  if (words === 'sh run' || words === 'bash run') return { kind: 'run' };
  const { double, single, bare } = FILE.exec(words)?.groups ?? {};
  const path = double ?? single ?? bare;
  return path === undefined ? undefined : { kind: 'file', path };
}

/** True for a block whose words a person may have meant as an action. */
export function looksLikeAction(code: Code): boolean {
  return NEARLY.test(code.info);
}

/** The action of a block directly under a step; `undefined` for prose and for an action with a fault. */
export function readAction(
  code: Code,
  source: SourceText,
  findings: Findings,
): LiteralAction | 'prose' | undefined {
  const info = infoOf(code);
  if (info === undefined) return 'prose';

  const line = source.lineOf(code.start);
  if (!isClosed(code, source)) {
    findings.error('unclosed-fence', line, 'This block is never closed under its step');
    return undefined;
  }
  const { content } = code;
  if (info.kind === 'file') {
    const path = relativePathOf(info.path);
    if (path.ok && !/[/\\]$/.test(path.path))
      return { kind: 'file', path: path.path, content, line };
    const problem = path.ok ? 'is a folder' : path.problem;
    findings.error('bad-value', line, `The file '${info.path}' ${problem}`);
    return undefined;
  }
  if (content.trim() === '') {
    findings.error('bad-value', line, 'This block is empty');
    return undefined;
  }
  return info.kind === 'diff'
    ? { kind: 'diff', patch: content, line }
    : { kind: 'run', script: content, line };
}

function isClosed({ start, end }: Code, { text }: SourceText): boolean {
  const fence = /^(?:`{3,}|~{3,})/.exec(text.slice(start, start + 200))?.[0] ?? '';
  const lastStart = text.lastIndexOf('\n', end - 1) + 1;
  const last = text.slice(Math.max(lastStart, start), end).trim();
  return lastStart > start && fence !== '' && last.startsWith(fence) && /^(?:`+|~+)$/.test(last);
}
