// Guards that commands on lines print what the real ones print, or refuse.

import { CASES, FILES } from './lines.cases.ts'
import { describeTable } from './table.ts'

describeTable('commands for lines', CASES, FILES)
