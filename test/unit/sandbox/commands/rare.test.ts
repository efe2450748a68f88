// Options that few scripts use print what the real commands print.

import { RARE_CASES, RARE_FILES } from './rare.cases.ts'
import { describeTable } from './table.ts'

describeTable('an option that few scripts use', RARE_CASES, RARE_FILES)
