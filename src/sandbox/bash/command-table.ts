// Satchel's own commands by name. Any other command is just-bash's.

import type { Command } from '../commands/command.ts'
import { awk } from '../commands/awk/awk.ts'
import { egrep, fgrep, grep } from '../commands/grep/grep.ts'
import { cat } from '../commands/text/cat.ts'
import { cut } from '../commands/text/cut.ts'
import { date } from '../commands/time/date.ts'
import { find } from '../commands/find/find.ts'
import { head } from '../commands/text/head.ts'
import { tail } from '../commands/text/tail.ts'
import { tr } from '../commands/text/tr.ts'
import { uniq } from '../commands/text/uniq.ts'
import { wc } from '../commands/text/wc.ts'
import { jq } from '../commands/jq/jq.ts'
import { sed } from '../commands/sed/sed.ts'
import { sort } from '../commands/sort/sort.ts'

export const OWN_COMMANDS: Readonly<Record<string, Command>> = {
  awk,
  gawk: awk,
  find,
  mawk: awk,
  cat,
  cut,
  date,
  egrep,
  fgrep,
  grep,
  head,
  jq,
  sed,
  sort,
  tail,
  tr,
  uniq,
  wc,
}
