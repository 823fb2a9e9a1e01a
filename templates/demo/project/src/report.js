/** Adds up the sales of each tea, best seller first. */
export function sumUp(sales) {
  const byTea = new Map();
  for (const { tea, grams, cents } of sales) {
    const sum = byTea.get(tea) ?? { tea, grams: 0, cents: 0 };
    byTea.set(tea, { tea, grams: sum.grams + grams, cents: sum.cents + cents });
  }
  return [...byTea.values()].sort((a, b) => b.cents - a.cents);
}

export function asText(rows) {
  return rows
    .map(({ tea, grams, cents }) => `${tea.padEnd(8)} ${grams} g  ${(cents / 100).toFixed(2)} EUR`)
    .join('\n');
}
