/** A user that owns nothing and may not read what is private. */
export const NOBODY = 65_534;

/** Root may read everything, so it steps down for a while. Git is started by whoever we are then. */
export async function asPerson(work: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
