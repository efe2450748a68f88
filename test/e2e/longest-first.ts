// Orders the test files: the slowest start first, so that none runs alone at the end. On a fresh machine vitest knows
// no earlier durations and would order files by size.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, longest first; all others follow in vitest's own order. */
const LONGEST = [
  'e2e/deploy-fails',
  'e2e/deploy',
  'browser/accessibility',
  'e2e/kill-start',
  'e2e/add',
  'e2e/tour',
  'e2e/kill',
  'e2e/publish',
  'e2e/start',
  'browser/lasting',
  'e2e/npm',
  'e2e/push',
  'e2e/deadline',
  'e2e/first-skill',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
