// What is changed in just-bash's own code before it is guarded: a few places, each found by its text, which must stand
// there exactly as often as said. Each calls a hook that the child sets; unset, the code behaves as before.

interface Edit {
  readonly find: RegExp
  readonly times: number
  /** As in String.replace: `$1` is the first group. */
  readonly put: string
}

/** Named by what it hands over; the names stand in src/sandbox/bash/shell.d.ts, too. */
const HOOKS = `
let __hooks={notFound:(name)=>name+': command not found',refused:()=>null,begins:()=>{},said:()=>{},held:()=>{},limited:()=>{},
interpreted:(text)=>text,around:(script,run)=>run()};
export const setHooks=(hooks)=>{__hooks=hooks};
`

const EDITS: readonly Edit[] = [
  // What a shell says of a command that is not there; our words name what is there instead.
  {
    find: /`bash: \$\{(\w+)\}: command not found\n`/g,
    times: 1,
    put: '`bash: ${__hooks.notFound($1)}\n`',
  },
  {
    find: /`bash: \$\{(\w+)\}: command not available in browser environments\.[^`]*`/g,
    times: 1,
    put: '`bash: ${__hooks.notFound($1)}\n`',
  },
  // A file that cannot be opened for writing ends its command, not the script; and bash says why.
  {
    find: /(catch \((\w+)\) \{\s+)if \(!\w+\) throw \2;(\s+return \{ error: \w+\("", `bash: \$\{\w+\}: cannot open)/g,
    times: 1,
    put: '$1$3',
  },
  {
    find: /`bash: \$\{(\w+)\}: cannot open redirect target\n`/g,
    times: 2,
    put: '`bash: ${$1}: ${__hooks.refused()??"cannot open redirect target"}\n`',
  },
  {
    find: /`tee: \$\{(\w+)\}: No such file or directory\n`/g,
    times: 1,
    put: '`tee: ${$1}: ${__hooks.refused()??"No such file or directory"}\n`',
  },
  // The output of each statement of the script, as soon as it is there.
  {
    find: /(async executeScript\((\w+)\) \{[^}]*?)(let (\w+) = await this\.executeStatement\((\w+)\);)/g,
    times: 1,
    put: '$1__hooks.begins($2,$5);$3__hooks.said($2,$4);',
  },
  // How much of its output a statement holds: just-bash counts what was ever said, in files and pipes, too.
  {
    find: /(\w+ && \(\w+ === "stdout" \? this\.stdoutChunks : this\.stderrChunks\)\.push\()/g,
    times: 1,
    put: '__hooks.held(this.stdoutBytes+this.stderrBytes);$1',
  },
  {
    find: /(this\.stderrChunks\.push\(\w+\), this\.totalBytes \+= \w+);/g,
    times: 1,
    put: '$1;__hooks.held(this.totalBytes);',
  },
  // What is done around each shell: the script of the call and those that it starts.
  {
    find: /(let (\w+) = (\w+)\(\w+, (\{ maxHeredocSize: this\.limits\.maxHeredocSize \})\))(, \w+;\s+if \(this\.transformPlugins)/g,
    times: 1,
    put: '$1,__parse=(text)=>$3(text,$4)$5',
  },
  {
    find: /(\w+) = await (new \w+\(\w+, \w+\))\.executeScript\((\w+)\);/g,
    times: 1,
    put: '__shell=$2,$1=await __hooks.around($3,()=>__shell.executeScript($3),(text)=>__shell.executeScript(__parse(text)));',
  },
  // Which limit of just-bash's own ended a script.
  {
    find: /(\w+ = class extends \w+ \{\s+limitType;\s+name = "ExecutionLimitError";[^}]*?constructor\((\w+), (\w+)[^{]*\{)(\s+super\([^;]*?), this\.limitType/g,
    times: 1,
    put: '$1__hooks.limited($3,$2);$4, this.limitType',
  },
  // A file that is run by its path is bash to just-bash, whatever its first line says.
  {
    find: /if \((\w+)\.startsWith\("#!"\)\) \{\s+let (\w+) = \1\.indexOf\(`\n`\);\s+\2 !== -1 && \(\1 = \1\.slice\(\2 \+ 1\)\);\s+\}(?=\s+let \w+ = \w+\.state\.loopDepth)/g,
    times: 1,
    put: 'if($1.startsWith("#!"))$1=__hooks.interpreted($1);',
  },
  // Small ones, as the real commands do: the width of a count, numbers towards zero, quotes around each text of a row.
  { find: /(r \? g \+= `\$\{String\(\w+\)\.padStart\()4(\)\})/g, times: 1, put: '$17$2' },
  {
    find: /(return \w+\.length === 0 \? 0 : Math\.)floor(\(\w+\(await \w+\.evalExpr\(\w+\[0\]\)\)\))/g,
    times: 1,
    put: '$1trunc$2',
  },
  {
    find: /(case "@csv":[^?]*\?[^?]*\?[^;]*;[^;]*;\s+let (\w+) = String\(\w+\);\s+return )[^?]*\? (`"[^`]*`) : \2;/g,
    times: 1,
    put: '$1$3;',
  },
  // `rm -f` is silent about what is not there, and about nothing else.
  {
    find: /if \(!(\w+)\) (\{\s+let \w+ = (\w+)\((\w+)\);\s+\w+\.includes\("ENOENT"\)[^`]*`rm: cannot remove)/g,
    times: 1,
    put: 'if(!$1||!/ENOENT|no such file/.test($3($4)))$2',
  },
  // A range of many words is cut without a word; it is either whole or refused.
  {
    find: /(var (\w+) = )1e4(;\s+var \w+ = \{ maxResults: \2,)/g,
    times: 1,
    put: '$11e9$3',
  },
  {
    find: /if \((\w+)\.length >= (\w+)\.maxResults\) return false;(\s+let \w+ = \w+\(\w+\);\s+if \([^)]*\) throw new (\w+)\()/g,
    times: 1,
    put: 'if($1.length>=$2.maxResults)throw new $4(`brace expansion result limit exceeded (${$2.maxResults})`,"array_elements");$3',
  },
  {
    find: /Math\.min\(\w+, (\w+\.limits\.maxBraceExpansionResults)\)(, "brace expansion")/g,
    times: 1,
    put: '9e15$2',
  },
  { find: / > \w+(\) throw new \w+\(`brace expansion result limit)/g, times: 1, put: ' > 1e6$1' },
  // A folder in a long list has no slash behind its name.
  {
    find: /(\? \w+\(await \w+\.fs\.lstat\(\w+\)\) : )\w+\.isDirectory \? "\/" : ""/g,
    times: 3,
    put: '$1""',
  },
  // Paths of its files are not the host's: they may stand in an error.
  {
    find: /\/\(\?:\\\/\(\?:Users\|home\|private\|var[^/]*nix\|snap\)\)\\b\[[^\]]*\\\]:\]\*\/g/g,
    times: 1,
    put: '/(?!)/g',
  },
]

/** The bundle with its hooks. Throws when the text of a place is not there as often as it was in just-bash 3.4.2. */
export function editShell(bundle: string): string {
  let text = bundle
  for (const { find, times, put } of EDITS) {
    const found = [...text.matchAll(find)].length
    if (found !== times)
      throw new Error(
        `just-bash's bundle has ${found} places like ${find.source.slice(0, 60)}…, not ${times}: compare ` +
          'scripts/runtimes/bash-edits.ts with the new version.',
      )
    text = text.replace(find, put)
  }
  return text + HOOKS
}
