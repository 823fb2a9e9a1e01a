#!/usr/bin/env node
// Bundles the sources into `dist/`: one file per program, and chunks that are loaded when needed.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { collectLicenses } from './build/licenses.mjs';
import { withBuildLock } from './build/lock.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const MANIFEST = join(DIST, '.build');

/** Programs by the name of their file. All share their chunks. */
const ENTRIES = {
  cc: 'src/cli/launcher.ts',
};

/**
 * What nearly every command loads, with all that it imports, in two files instead of a dozen: a file costs a
 * start more than what is in it.
 */
const CHUNKS = [
  { name: 'bin', test: /[\\/]cli[\\/]bin\.ts$/, priority: 2 },
  { name: 'host', test: /[\\/](?:command|boot|session-status)\.ts$/, priority: 1 },
];

/** Besides the sources: whatever else decides about the result. */
const INPUTS = ['package.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/build'];

/**
 * Makes `dist/` what the sources say. Two builds at once do the work once, and a program that is started
 * meanwhile finds the old files or the new ones: chunks have their content's hash in their names, the
 * programs are replaced last, and the chunks of the build before stay for who still runs it.
 *
 * @returns what was done, in one line.
 */
export async function build({ prune = false } = {}) {
  await mkdir(DIST, { recursive: true });
  return withBuildLock(join(DIST, '.lock'), async () => {
    const before = await readManifest();
    const inputs = await hashInputs();
    const isCurrent = before.inputs === inputs && (await areThere(before.files));
    if (isCurrent && prune) await removeOthers(before.files);
    if (isCurrent) return `dist is up to date (${before.files.length} files)`;

    const startedAt = performance.now();
    const files = await bundle();
    await removeOthers(prune ? files : [...files, ...before.files]);
    await writeFile(MANIFEST, `${JSON.stringify({ inputs, files }, null, 2)}\n`);
    const tookS = ((performance.now() - startedAt) / 1000).toFixed(1);
    return `dist built in ${tookS} s (${files.length} files)`;
  });
}

/** Writes beside the old files, then moves: chunks first. Returns the names, relative to `dist/`. */
async function bundle() {
  // Only here: a build that has nothing to do should not load a compiler.
  const { rolldown } = await import('rolldown');
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const bundler = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    // Without the target, `await using` would reach Node 20, where it is a syntax error.
    transform: { target: 'node20', define: { CC_VERSION: JSON.stringify(version) } },
    plugins: [withoutUnneeded, builtinsWhenUsed],
    onLog: stopAtWarnings,
  });
  const draft = join(DIST, `.draft-${process.pid}`);
  try {
    const { output } = await bundler.write(outputOptions(draft));
    output.forEach(assertPlainRequire);
    await writeFile(join(draft, 'licenses.txt'), await collectLicenses(ROOT, output));
    const programs = Object.keys(ENTRIES).map((name) => `${name}.cjs`);
    for (const name of programs) await chmod(join(draft, name), 0o755);
    const others = output
      .map(({ fileName }) => fileName)
      .filter((name) => !programs.includes(name));
    const files = ['licenses.txt', ...others.sort(), ...programs];
    await mkdir(join(DIST, 'chunks'), { recursive: true });
    for (const name of files) await rename(join(draft, name), join(DIST, name));
    return files;
  } finally {
    await bundler.close();
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * What packages load and we never need. commander can start other programs as subcommands: that alone takes a
 * tenth of the time that Node needs to start. js-yaml, which comes with gray-matter, can read functions.
 */
const UNNEEDED = [
  { source: 'node:child_process', by: /[\\/]commander[\\/]/ },
  { source: 'esprima', by: /[\\/]js-yaml[\\/]/ },
];
const withoutUnneeded = {
  name: 'without-unneeded',
  resolveId(source, importer = '') {
    const isUnneeded = UNNEEDED.some((one) => one.source === source && one.by.test(importer));
    return isUnneeded ? '\0unneeded' : undefined;
  },
  load: (id) => (id === '\0unneeded' ? 'module.exports = {};' : undefined),
};

/**
 * A chunk loads a module of Node when it first uses something of it: most runs hash nothing, write nothing
 * and start nothing. `fs` and `path` are there already when Node has started.
 */
const builtinsWhenUsed = {
  name: 'builtins-when-used',
  renderChunk(code) {
    const declared = /^let (\w+) = require\("node:(?!fs"|path")[\w/]+"\);$/gm;
    return [...code.matchAll(declared)].reduce((text, [line, name]) => {
      const whole = new RegExp(`\\b${name}\\b(?!\\.)`, 'g');
      // The declaration is one; another takes the module as it is.
      if (text.match(whole).length > 1) return text;
      const whenUsed = line.replace(/= (.*);$/, '= { get used() { return $1; } };');
      return text
        .replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `${name}.used.`)
        .replace(line, whenUsed);
    }, code);
  },
};

function outputOptions(dir) {
  return {
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    // Code that V8 took from a cache cannot call `import()`.
    dynamicImportInCjs: false,
    codeSplitting: { groups: CHUNKS },
    // Names and lines stay, so that a stack trace can be read; the code cache makes size cheap.
    minify: 'dce-only',
    comments: false,
  };
}

/** The code cache gives a chunk a `require` that can be called, and nothing more. */
function assertPlainRequire({ fileName, code = '' }) {
  const use = /\brequire\.(?:cache|extensions|main|resolve)\b/.exec(code);
  if (use !== null) throw new Error(`${fileName} uses ${use[0]}, which it does not get`);
}

/** A warning that nobody reads is none: it stops the build, unless it is known here. */
function stopAtWarnings(level, log, print) {
  // The engine that evaluates is replaced by one that throws; see `documents/front-matter.ts`.
  if (log.code === 'EVAL' && log.id?.includes('gray-matter')) return;
  if (level === 'warn') throw new Error(log.message);
  print(level, log);
}

async function hashInputs() {
  const hash = createHash('sha256');
  for (const path of [
    ...(await listFiles('src')),
    ...(await Promise.all(INPUTS.map(listFiles))).flat(),
  ]) {
    hash
      .update(`${path}\0`)
      .update(await readFile(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Paths relative to the root, sorted; a file is its own list. */
async function listFiles(path) {
  const found = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true }).catch(
    (error) => {
      if (error.code === 'ENOTDIR') return undefined;
      throw error;
    },
  );
  if (found === undefined) return [path];
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1)).sort();
}

async function readManifest() {
  try {
    return JSON.parse(await readFile(MANIFEST, 'utf8'));
  } catch {
    // Never built, or by a build that was killed: built anew.
    return { inputs: '', files: [] };
  }
}

async function areThere(names) {
  const there = new Set(await listDist());
  return names.length > 0 && names.every((name) => there.has(name));
}

async function listDist() {
  const found = await readdir(DIST, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(DIST.length + 1));
}

async function removeOthers(names) {
  const kept = new Set([...names, basename(MANIFEST), '.lock']);
  const others = (await listDist()).filter((name) => !kept.has(name));
  for (const name of others) await rm(join(DIST, name), { force: true });
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(await build({ prune: process.argv.includes('--prune') }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
