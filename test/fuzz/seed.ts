// The seed and the number of cases of every test with random input. The seed is the same in every run unless SEED sets
// another or is "random", so that a run can be repeated and none fails by chance.

const USUAL_SEED = 20_261

/** The seed that `given` (SEED of the environment) stands for. Throws on what is no seed. */
export function readSeed(given: string | undefined): number {
  if (given === undefined || given === '') return USUAL_SEED
  if (given === 'random') return Math.floor(Math.random() * 2 ** 31)
  if (!/^\d{1,10}$/.test(given)) throw new Error(`SEED=${given}: give a whole number, or "random".`)
  return Number(given)
}

/** In a test, vitest's configuration has made one number of SEED for all files. */
export const SEED = readSeed(process.env['SEED'])

/** How many cases to try: CASES of the environment, else `usual`. Throws on what is no number. */
export function casesOr(usual: number): number {
  const given = process.env['CASES'] ?? ''
  if (given === '') return usual
  if (!/^[1-9]\d{0,7}$/.test(given)) throw new Error(`CASES=${given}: give a whole number.`)
  return Number(given)
}

/** Before case `at` of many: vitest speaks with its workers between two tasks, and gives up on one that never is. */
export async function betweenTasks(at: number): Promise<void> {
  if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
}
