// The commands that the shell has of its own, by name. Others are the interpreter's.

import type { Command } from './command.ts'
import { awk } from './awk/awk.ts'
import { cat } from './text/cat.ts'
import { cut } from './text/cut.ts'
import { head } from './text/head.ts'
import { tail } from './text/tail.ts'
import { tr } from './text/tr.ts'
import { uniq } from './text/uniq.ts'
import { wc } from './text/wc.ts'
import { sed } from './sed/sed.ts'
import { sort } from './sort/sort.ts'

export const COMMANDS: Readonly<Record<string, Command>> = {
  awk,
  gawk: awk,
  mawk: awk,
  cat,
  cut,
  head,
  sed,
  sort,
  tail,
  tr,
  uniq,
  wc,
}
