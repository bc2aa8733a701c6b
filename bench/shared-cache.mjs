// Computes the load that reaches the service through shared caches with VIGIL_PUBLIC_READS=on: callers request targets
// whose popularity falls with their rank (Zipf, exponent 1), and each cache keeps an answer for the answer's lifetime.
// The result is the exact mean; nothing is random. node bench/shared-cache.mjs
const TARGETS = 100_000;
const CACHES = 20;
const LIFETIME_SECONDS = 300;

const weights = Array.from({ length: TARGETS }, (_, rank) => 1 / (rank + 1));
const total = weights.reduce((sum, weight) => sum + weight, 0);

/**
 * Returns the requests per second that reach the service. For each target, a cache sends one request per period; a
 * period is the lifetime of the answer plus the time until the next caller requests the target.
 */
function reaching(perSecond) {
  const perCache = perSecond / CACHES;
  return weights.reduce((sum, weight) => {
    const rate = (perCache * weight) / total;
    return sum + (CACHES * rate) / (1 + rate * LIFETIME_SECONDS);
  }, 0);
}

for (const perSecond of [100, 1_000, 10_000, 1_000_000]) {
  const left = reaching(perSecond);
  const share = ((left / perSecond) * 100).toFixed(2);
  process.stdout.write(
    `${perSecond.toLocaleString("en")}/s: ${Math.round(left).toLocaleString("en")}/s reach the service (${share} %)\n`,
  );
}
