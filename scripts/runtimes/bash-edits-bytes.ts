// Edits of just-bash where it mixes bytes and characters: output is text, or one character per byte, and every
// count and join must handle both.

import type { Edit } from './bash-edit.ts'

export const BYTES: readonly Edit[] = [
  // A redirection counts the rest of a program's binary output in bytes.
  {
    find: /(\(\w+\.internalOutputAccounting\?\.stderr \?\? 0\), \w+ = )(\w+\((\w+)\.stdout\))(, \w+ = \w+\(\3\.stderr\), \w+ = Math\.min\()/g,
    times: 1,
    put: '$1($3.stdoutKind==="bytes"||$3.stdoutEncoding==="binary"?$3.stdout.length:$2)$4',
  },
  // Releases no more than was counted: a miscount must not end a call.
  {
    find: /(appendOutput\(\w+, \w+, \w+ = "execution", (\w+) = 0, (\w+) = "text"\) \{\s+this\.assertUsable\(\);\s+let (\w+) = [^;]*;)\s+\(!Number\.isSafeInteger\(\2\)[^;]*;/g,
    times: 1,
    put: '$1$2=Math.min($2,$4);',
  },
  {
    find: /, \(!Number\.isSafeInteger\((\w+)\) \|\| \1 < 0 \|\| \1 > this\.outputBytes\) && this\.fail\(new \w+\(`\$\{\w+\}: invalid output accounting release`, "output_size"\)\), this\.outputBytes -= \1;/g,
    times: 1,
    put: ',this.outputBytes-=Math.min($1,this.outputBytes);',
  },
  // Where errors go into the output, or output into the errors, both must be of one kind.
  {
    find: /let \{ stdout: \w+, stderr: \w+, exitCode: \w+ \} = (\w+), (\w+) = \1\.stdoutKind === "bytes" \|\| \1\.stdoutKind === void 0 && \1\.stdoutEncoding === "binary" \? "binary" : "utf8"/g,
    times: 1,
    put: '$&,__bytes=$2==="binary"',
  },
  {
    find: /let (\w+) = (\w+) \+ (\w+);(\s+\1 !== "" && \(\w+\.kind === "file" \?)/g,
    times: 1,
    put: 'let $1=$2+(__bytes?__hooks.encoded($3):$3);$4',
  },
  {
    find: /(for \(let \[(\w+), \w+, (\w+)\] of \[\[\w+, \w+, true\], \[\w+, \w+, false\]\]\) if \(\2 !== ""\) switch \(\w+\.kind\) \{\s+case "live-stdout":\s+\w+ \+= )\2(;\s+break;\s+case "live-stderr":\s+\w+ \+= )\2;/g,
    times: 1,
    put: '$1__bytes&&!$3?__hooks.encoded($2):$2$4__bytes&&$3?__hooks.decoded($2):$2;',
  },
  // Errors are text, even if they begin with ASCII.
  {
    find: /let \w+ = Math\.min\((\w+)\.length, 8192\);\s+for \(let (\w+) = 0; \2 < \w+; \2\+\+\) if \(\1\.charCodeAt\(\2\) > 127\) return "utf8";\s+return "binary";/g,
    times: 1,
    put: 'return "utf8";',
  },
]
