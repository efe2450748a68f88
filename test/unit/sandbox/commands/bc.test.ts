// Guards that `bc` computes what GNU bc computes, digit for digit, or refuses.

import { CASES, FILES } from './bc.cases.ts'
import { describeTable } from './table.ts'

describeTable('bc', CASES, FILES)
