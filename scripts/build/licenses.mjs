// The notices of the packages whose code is part of the bundle, as their licences ask for.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGE = /^(?<folder>.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** One text for all packages that any chunk of `output` contains. */
export async function collectLicenses(root, output) {
  const ids = output.flatMap(({ moduleIds = [] }) =>
    moduleIds.map((id) => id.replaceAll('\\', '/')),
  );
  const folders = new Set(ids.flatMap((id) => PACKAGE.exec(id)?.groups?.folder ?? []));
  const notices = await Promise.all([...folders].map((folder) => noticeOf(root, folder)));
  return notices.sort().join(`\n${'-'.repeat(80)}\n`);
}

async function noticeOf(root, folder) {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const names = (await readdir(folder)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)/i.test(file),
  );
  const texts = await Promise.all(names.sort().map((file) => readFile(join(folder, file), 'utf8')));
  return `${name} ${version} (${license})\n\n${texts.join('\n').trim()}\n`;
}
