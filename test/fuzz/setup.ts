// Runs before each file of the unit tests: fast-check, too, takes the seed of the run. It prints that seed with each
// failure.

import fc from 'fast-check'
import { SEED } from './seed.ts'

fc.configureGlobal({ seed: SEED })
