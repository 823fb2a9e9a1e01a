/** Lengths of time and budgets as people write them. */
import type { Budget } from './plan-model.ts';

const MS_BY_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  秒: 1000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  分: 60_000,
  分钟: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  小时: 3_600_000,
};
const PART = /(\d{1,9}(?:\.\d{1,3})?) ?([a-z]{1,7}|秒|分钟|分|小时) ?/gy;

/** Milliseconds of `90s`, `10m`, `1h30m`; `undefined` for what is no length of time above zero. */
export function parseDuration(text: string): number | undefined {
  const words = text.trim().toLowerCase();
  let total = 0;
  let read = 0;
  for (const [part, amount, unit] of words.matchAll(PART)) {
    const factor = MS_BY_UNIT[unit ?? ''];
    if (factor === undefined) return undefined;
    total += Number(amount) * factor;
    read += part.length;
  }
  // A sticky pattern stops at the first thing that it cannot read.
  return read < words.length || total < 1 ? undefined : Math.round(total);
}

/** `turns 40, cost $2, time 30m` in any order, in part, or as `40 turns`; `undefined` when a part cannot be read. */
export function parseBudget(text: string): Budget | undefined {
  let budget: Budget = {};
  const parts = text.split(/[,，;；、\n]/).map((part) => part.trim());
  for (const part of parts.filter((words) => words !== '')) {
    const limit = limitOf(part.toLowerCase());
    if (limit === undefined) return undefined;
    budget = { ...budget, ...limit };
  }
  return Object.keys(budget).length === 0 ? undefined : budget;
}

function limitOf(part: string): Budget | undefined {
  const turns = /^(?:turns?|轮次)[ :=：]*(\d{1,6})$|^(\d{1,6}) ?(?:turns?|轮)$/.exec(part);
  if (turns !== null) {
    const count = Number(turns[1] ?? turns[2]);
    return count === 0 ? undefined : { turns: count };
  }
  const cost = /^(?:(?:cost|费用)[ :=：]*)?(\$?)(\d{1,6}(?:\.\d{1,4})?) ?(usd|\$)?$/.exec(part);
  if (cost !== null && (/^cost|^费用/.test(part) || cost[1] === '$' || cost[3] !== undefined)) {
    const usd = Number(cost[2]);
    return usd === 0 ? undefined : { costUsd: usd };
  }
  const time = parseDuration(part.replace(/^(?:time|时间)[ :=：]*/, ''));
  return time === undefined ? undefined : { timeMs: time };
}
