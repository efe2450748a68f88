// What is changed in just-bash's own code before it is guarded: a few places, each found by its text, which must stand
// there exactly as often as said. Each calls a hook that the child sets; unset, the code behaves as before.

import type { Edit } from './bash-edit.ts'
import { BYTES } from './bash-edits-bytes.ts'
import { LIMITS } from './bash-edits-limits.ts'
import { WORDS } from './bash-edits-assignments.ts'

/** Named by what it hands over; the names stand in src/sandbox/bash/shell.d.ts, too. */
const HOOKS = `
let __hooks={scriptDepth:Infinity,notFound:(name)=>name+': command not found',refused:()=>null,begins:()=>{},ended:()=>{},held:()=>{},limited:()=>{},
interpreted:(text)=>text,around:(script,run)=>run(),encoded:(text)=>text,decoded:(text)=>text,
range:(address,states,line,last,matches)=>matches(address.start)};
export const setHooks=(hooks)=>{__hooks=hooks};
let __substitutions=0,__refusals=0;
const __anyWord=(parser)=>parser.isWord()||/^(?:[LR]BRACE|DBRACK_(?:START|END)|FD_VARIABLE)$/.test(parser.current().type);
const __quietly=async({state},run)=>{const{options}=state,{errexit}=options;options.errexit=false;
try{return await run()}finally{options.errexit=errexit}};
const __exporting=(options,{PWD,OLDPWD,...exported})=>options.replaceEnv?options:{...options,env:{...exported,...options.env}};
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
  // An assignment alone ends with 0, or with the code of the command whose output it takes: not with what was before it.
  {
    find: /case "CommandSubstitution": \{(?=\s+let (\w+) = \w+\(\w+\.body\);\s+if \(\1\) try)/g,
    times: 1,
    put: '$&__substitutions++;',
  },
  {
    find: /(this\.ctx\.state\.expansionStderr = "";\s+let )(\w+ = await \w+\(this\.ctx, \w+\);\s+if \(\w+\.error\) return \w+\.error;)/g,
    times: 1,
    put: '$1__before=__substitutions,$2',
  },
  {
    find: /(, \w+\("", (?:\w+|""), )(this\.ctx\.state\.lastExitCode)\)/g,
    times: 2,
    put: '$1__before===__substitutions?0:$2)',
  },
  // A command's name may be several words: `"$@"`, `"${command[@]}"`, `$TOOL`. What is behind the first are arguments.
  {
    find: /let (\w+) = await (\w+\(this\.ctx, (\w+)\.name\))(, \w+ = \[\], \w+ = \[\], (\w+) = \(\w+, \w+\) => \{[\s\S]{0,300}?\n {4}\};)(\s+if \(\w+\(\3\.name, [\s\S]{0,900}?await (\w+)\(this\.ctx, \w+\);\s+for)/g,
    times: 1,
    put: 'let __names=$3.name.parts.every(({type})=>type==="Literal")?[await $2]:(await $7(this.ctx,$3.name)).values,__none=__names.length===0,$1=__names.shift()??""$4for(let __name of __names)$5(__name,true);$6',
  },
  // `set -u` and a default for what is unset.
  {
    find: /(= await \w+\(\w+, (\w+)\), (\w+) = await \w+\(\w+, \2)(\), \w+ = \3 === "")/g,
    times: 1,
    put: '$1,false$4',
  },
  {
    find: /(= await \w+\(\w+, (\w+\.parameter)\), \w+ = await \w+\(\w+, \2)(\) === "")/g,
    times: 1,
    put: '$1,false$3',
  },
  // `set -e` lets pass what fails in front of `&&` and `||` and behind `!`, and all that it calls; and what a function or a
  // subshell ends with counts, however it came to be.
  {
    find: /let (\w+) = await this\.executePipeline\((\w+)\);/g,
    times: 1,
    put:
      'let __tested=this.ctx.state.inCondition,$1;if($2.negated||$2!==__pipelines.at(-1))this.ctx.state.inCondition=true;' +
      'try{$1=await this.executePipeline($2)}finally{this.ctx.state.inCondition=__tested}' +
      'if($2.commands.length>1||/^(?:SimpleCommand|Subshell)$/.test($2.commands[0].type))this.ctx.state.errexitSafe=false;',
  },
  {
    find: /(this\.ctx\.state\.errexitSafe = false;)(\s+let \w+ = new \w+\(this\.ctx\.executionScope, "statement"\);[\s\S]{0,300}?< (\w+)\.pipelines\.length)/g,
    times: 1,
    put: '$1let __pipelines=$3.pipelines;$2',
  },
  // Where those are none at all, nothing is run.
  {
    find: /(let \w+ = )(\w+\.name\.parts\.every\(\(\w+\) => \w+\.type === "CommandSubstitution")/g,
    times: 1,
    put: '$1__none||$2',
  },
  // What is exported reaches programs behind `timeout`, `xargs`, `env` and `find -exec` as well.
  {
    find: /(exportedEnv: (\w+), get stdin\(\) \{[\s\S]{0,600}?exec: \((\w+), (\w+)\) => \w+\.execFn\(\3, )\4(, false\), execWithInheritedStdin: \((\w+), (\w+)\) => \w+\.execFn\(\6, \{ \.\.\.)\7/g,
    times: 1,
    put: '$1__exporting($4,$2)$5__exporting($7,$2)',
  },
  // `set -e` does not reach into `$(…)`.
  {
    find: /= await (\w+)\.executeScript\((\w+(?:\.body)?)\)(?=, \w+ = \w+\.exitCode;\s+(?:return )?\1\.state\.env = )/g,
    times: 2,
    put: '=await __quietly($1,()=>$1.executeScript($2))',
  },
  // Within `$((…))` both `$(…)` and `${…}` are what they are elsewhere: with the shell's variables and folder.
  {
    find: /async function (\w+)\(\w+, \w+\) \{(?=\s+let (\w+) = new \w+\(\), (\w+);\s+try \{\s+\3 = \2\.parse\()/g,
    times: 1,
    put: 'const __substitute=(...given)=>$1(...given);$&',
  },
  {
    find: /await (\w+)\.execFn\((\w+)\.command, \{ signal: \1\.state\.signal \}\)/g,
    times: 2,
    put: '({stdout:await __substitute($1,$2.command),stderr:"",exitCode:$1.state.lastExitCode})',
  },
  {
    find: /async function \w+\((\w+), (\w+)\) \{(?=\s+if \(\2\.startsWith\("#"\)\) \{\s+let (\w+) = \2\.slice\(1\), \w+ = \3\.match\()/g,
    times: 1,
    put: '$&if(/^\\w+(?:\\[[^\\]]*\\])?(?:[#%\\/^,@]|:[^-=?+])/.test($2))return __substitute($1,`builtin printf %s "\\${${$2}}"`);',
  },
  {
    find: /if \((\w+) && (\/\\\$\[a-zA-Z_\]\[a-zA-Z0-9_\]\*\(\?!\[\{\[\(\]\)\/\.test\(\1\))\)/g,
    times: 1,
    put: 'if($1&&($2||/#\\$\\{/.test($1)))',
  },
  {
    find: /(async function \w+\((\w+), (\w+)\) \{\s+let (\w+) = "", (\w+) = 0;\s+for \(; \5 < \3\.length; \) \{\s+if \(\3\[\5\] === "\$"\) \{\s+if \(\3\[\5 \+ 1\] === "\{"\) \{\s+let [^\n]*\n[^\n]*\n\s+)\4 \+= (\3\.slice\(\5, \w+\)), /g,
    times: 1,
    put: '$1$4+=$4.endsWith("#")?await __substitute($2,`builtin printf %s "$${$6}"`):$6,',
  },
  // `break` and `continue` end with 0, whatever was before them; and `for x` without words goes through the arguments.
  {
    find: /(\w+)( = \w+\.exitCode;\s+\}\s+\} catch \((\w+)\) \{\s+let (\w+) = \w+\(\3, [^;]*;\s+if \(\w+\.replace\(\4\.stdout, \4\.stderr\), )(\4\.action === "break"\) break;)/g,
    times: 4,
    put: '$1$2/^(?:break|continue)$/.test($4.action)&&($1=0),$5',
  },
  {
    find: /= \((\w+)\.state\.env\.get\("@"\) \|\| ""\)\.split\(" "\)\.filter\(Boolean\)/g,
    times: 1,
    put: '= Array.from({length:Number($1.state.env.get("#")||0)},(_,at)=>$1.state.env.get(String(at+1))??"")',
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
  {
    find: /("in-place output write"[\s\S]{0,300}?`sed: \$\{(\w+)\}: )No such file or directory\n`/g,
    times: 1,
    put: '$1${__hooks.refused()??"No such file or directory"}\n`',
  },
  // The output of each statement of the script, as soon as it is there.
  {
    find: /(async executeScript\((\w+)\) \{[^}]*?)(let (\w+) = await this\.executeStatement\((\w+)\);)/g,
    times: 1,
    put: '$1__hooks.begins($2,$5);$3__hooks.ended($2,$4);',
  },
  // How deep scripts lie in scripts: just-bash counts that of functions, `source` and `bash` only, each for itself.
  {
    find: /async executeScript\((\w+)\) \{(?=\s+this\.assertDefenseContext\()/g,
    times: 1,
    put:
      'async executeScript($1){let __depth=this.ctx.executionScope.enterDepth("script",__hooks.scriptDepth);' +
      'try{return await this.__executeScript($1)}finally{__depth.release()}}async __executeScript($1){',
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
    put: '$1__refusals++;__hooks.limited($3,$2);$4, this.limitType',
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
  // Where a range of `sed` begins and ends (src/sandbox/bash/sed-range.ts).
  {
    find: /(function \w+\((\w+), (\w+), (\w+), (\w+), (\w+), (\w+)\) \{\s+if \(!\2 \|\| !\2\.start && !\2\.end\) return true;\s+let (\w+) = \2\.start, (\w+) = \2\.end;\s+if \(\8 !== void 0 && \9 === void 0\) return (\w+)\([^;]*;)/g,
    times: 1,
    put: '$1if($6&&$8!==void 0)return __hooks.range($2,$6,$3,$4,(__one)=>$10(__one,$3,$4,$5,$7));',
  },
  // A folder in a long list has no slash behind its name.
  {
    find: /(\? \w+\(await \w+\.fs\.lstat\(\w+\)\) : )\w+\.isDirectory \? "\/" : ""/g,
    times: 3,
    put: '$1""',
  },
  // It needs a browser's document, and there is none.
  {
    find: /\{ name: "html-to-markdown", load: async \(\) => \(.*?\.htmlToMarkdownCommand \},?/g,
    times: 1,
    put: '',
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
  for (const { find, times, put } of [...EDITS, ...BYTES, ...WORDS, ...LIMITS]) {
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
