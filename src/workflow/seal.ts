/** Proof that the holder of a key stood behind facts. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../kernel/base/hash.ts';

/** Keeps the seal of a plan from being copied into `verify.json`. */
export type SealPurpose = 'approval' | 'verification';

/** `s1:` + HMAC-SHA256 in hex over the purpose and the facts; the prefix names the rules of this version. */
export function sealOf(key: Uint8Array, purpose: SealPurpose, facts: object): string {
  const mac = createHmac('sha256', key).update(canonicalJson([purpose, facts]));
  return `s1:${mac.digest('hex')}`;
}

/** Compares in constant time. */
export function isSeal(claimed: unknown, genuine: string): boolean {
  const given = Buffer.from(typeof claimed === 'string' ? claimed : '');
  const wanted = Buffer.from(genuine);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
