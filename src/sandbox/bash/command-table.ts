// The shell's own commands by name. The interpreter provides the others.

import type { Command } from '../commands/command.ts'
import { gzip } from '../commands/archive/gzip.ts'
import { unzip, zipinfo } from '../commands/archive/unzip.ts'
import { tar } from '../commands/archive/tar.ts'
import { zgrep } from '../commands/archive/zgrep.ts'
import { zip } from '../commands/archive/zip.ts'
import { awk } from '../commands/awk/awk.ts'
import { bc } from '../commands/bc/bc.ts'
import { baseEncoding } from '../commands/bytes/base.ts'
import { dd } from '../commands/bytes/dd.ts'
import { strings } from '../commands/bytes/strings.ts'
import { truncate } from '../commands/bytes/truncate.ts'
import { column } from '../commands/column/column.ts'
import { cmp } from '../commands/diff/cmp.ts'
import { diff } from '../commands/diff/diff.ts'
import { hexdump } from '../commands/dump/hexdump.ts'
import { od } from '../commands/dump/od.ts'
import { xxd } from '../commands/dump/xxd.ts'
import { chmod } from '../commands/file/chmod.ts'
import { cp, install } from '../commands/file/cp.ts'
import { du } from '../commands/file/du.ts'
import { mkdir, rmdir } from '../commands/file/folders.ts'
import { ln, readlink, realpath } from '../commands/file/links.ts'
import { ls } from '../commands/file/ls.ts'
import { mktemp } from '../commands/file/mktemp.ts'
import { mv } from '../commands/file/mv.ts'
import { basename, dirname } from '../commands/file/names-commands.ts'
import { rm, unlink } from '../commands/file/rm.ts'
import { stat } from '../commands/file/stat.ts'
import { touch } from '../commands/file/touch.ts'
import { find } from '../commands/find/find.ts'
import { fmt } from '../commands/fmt/fmt.ts'
import { egrep, fgrep, grep } from '../commands/grep/grep.ts'
import { join } from '../commands/join/join.ts'
import { jq } from '../commands/jq/jq.ts'
import { patch } from '../commands/patch/patch.ts'
import { expr } from '../commands/numbers/expr.ts'
import { factor } from '../commands/numbers/factor.ts'
import { numfmt } from '../commands/numbers/numfmt.ts'
import { seq } from '../commands/numbers/seq.ts'
import { sed } from '../commands/sed/sed.ts'
import { sort } from '../commands/sort/sort.ts'
import { csplit } from '../commands/split/csplit.ts'
import { split } from '../commands/split/split.ts'
import { sqlite3 } from '../commands/sqlite3/sqlite3.ts'
import { env, printenv } from '../commands/starters/env.ts'
import { nice, nohup, setsid, stdbuf, timeout } from '../commands/starters/run-with.ts'
import { sleep } from '../commands/starters/sleep.ts'
import { cksum, sum } from '../commands/sums/cksum.ts'
import { digests } from '../commands/sums/digests.ts'
import { hostname, nproc, sync, which } from '../commands/system/machine.ts'
import { tree } from '../commands/file/tree.ts'
import { arch, id, tty, uname, whoami } from '../commands/system/names.ts'
import { cat } from '../commands/text/cat.ts'
import { comm } from '../commands/text/comm.ts'
import { cut } from '../commands/text/cut.ts'
import { envsubst } from '../commands/text/envsubst.ts'
import { expand } from '../commands/text/expand.ts'
import { fold } from '../commands/text/fold.ts'
import { iconv } from '../commands/text/iconv.ts'
import { head } from '../commands/text/head.ts'
import { nl } from '../commands/text/nl.ts'
import { paste } from '../commands/text/paste.ts'
import { rev } from '../commands/text/rev.ts'
import { shuf } from '../commands/text/shuf.ts'
import { tac } from '../commands/text/tac.ts'
import { tail } from '../commands/text/tail.ts'
import { tee } from '../commands/text/tee.ts'
import { tr } from '../commands/text/tr.ts'
import { tsort } from '../commands/text/tsort.ts'
import { unexpand } from '../commands/text/unexpand.ts'
import { uniq } from '../commands/text/uniq.ts'
import { wc } from '../commands/text/wc.ts'
import { yes } from '../commands/text/yes.ts'
import { date } from '../commands/time/date.ts'
import { xargs } from '../commands/xargs/xargs.ts'

export const OWN_COMMANDS: Readonly<Record<string, Command>> = {
  hostname,
  nproc,
  sync,
  tar,
  tree,
  which,
  basename,
  chmod,
  cp,
  dirname,
  du,
  install,
  ln,
  ls,
  mkdir,
  mktemp,
  mv,
  readlink,
  realpath,
  rm,
  rmdir,
  stat,
  touch,
  arch,
  awk,
  b2sum: digests,
  base32: baseEncoding,
  base64: baseEncoding,
  basenc: baseEncoding,
  bc,
  cat,
  cksum,
  cmp,
  column,
  comm,
  csplit,
  cut,
  date,
  dd,
  diff,
  egrep,
  env,
  envsubst,
  expand,
  expr,
  factor,
  fgrep,
  find,
  fmt,
  fold,
  gawk: awk,
  grep,
  gunzip: gzip,
  gzip,
  hd: hexdump,
  head,
  hexdump,
  iconv,
  id,
  join,
  jq,
  mawk: awk,
  md5sum: digests,
  nice,
  nl,
  nohup,
  numfmt,
  od,
  paste,
  patch,
  printenv,
  rev,
  sed,
  seq,
  setsid,
  sha1sum: digests,
  sha224sum: digests,
  sha256sum: digests,
  sha384sum: digests,
  sha512sum: digests,
  shuf,
  sleep,
  sort,
  split,
  sqlite3,
  stdbuf,
  strings,
  sum,
  tac,
  tail,
  tee,
  timeout,
  tr,
  truncate,
  tsort,
  tty,
  uname,
  unexpand,
  uniq,
  unlink,
  unzip,
  wc,
  whoami,
  xargs,
  xxd,
  yes,
  zcat: gzip,
  zgrep,
  zip,
  zipinfo,
}
