// Guards that commands on bytes and numbers print what the real ones print, or refuse.

import { CASES, FILES } from './bytes.cases.ts'
import { describeTable } from './table.ts'

describeTable('commands for bytes and numbers', CASES, FILES)
