// The seed and the number of cases of every test with random input. The seed is the same in every run unless SEED sets
// another or is "random", so that a run can be repeated and none fails by chance.

const USUAL_SEED = 20_261

/** Parses `given`, the value of SEED. Throws if it is not a seed. */
export function readSeed(given: string | undefined): number {
  if (given === undefined || given === '') return USUAL_SEED
  if (given === 'random') return Math.floor(Math.random() * 2 ** 31)
  if (!/^\d{1,10}$/.test(given)) throw new Error(`SEED=${given}: give a whole number, or "random".`)
  return Number(given)
}

/** In a test, vitest's configuration has already set SEED to one number for all files. */
export const SEED = readSeed(process.env['SEED'])

/** The number of cases: CASES of the environment, else `usual`. Throws if it is not a number. */
export function casesOr(usual: number): number {
  const given = process.env['CASES'] ?? ''
  if (given === '') return usual
  if (!/^[1-9]\d{0,7}$/.test(given)) throw new Error(`CASES=${given}: give a whole number.`)
  return Number(given)
}

/**
 * Called before case `at`: vitest communicates with its workers between tasks, and gives up on a worker that never
 * yields.
 */
export async function betweenTasks(at: number): Promise<void> {
  if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
}
