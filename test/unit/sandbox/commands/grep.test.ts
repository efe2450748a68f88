// Guards that `grep` finds what GNU grep finds, or refuses.

import { CASES, FILES } from './grep.cases.ts'
import { describeTable } from './table.ts'

describeTable('grep', CASES, FILES)
