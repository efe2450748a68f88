// Before each file of the unit tests: what fast-check makes by chance comes from the seed of the run, too. It prints
// that seed with each failure.

import fc from 'fast-check'
import { SEED } from './seed.ts'

fc.configureGlobal({ seed: SEED })
