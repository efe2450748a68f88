// Edits of just-bash's code before step counting: each matches a text an exact number of times. Most call a hook
// that the child sets; unset, the code behaves as before.

import type { Edit } from './bash-edit.ts'
import { BYTES } from './bash-edits-bytes.ts'
import { LIMITS } from './bash-edits-limits.ts'
import { ASSIGNMENTS } from './bash-edits-assignments.ts'
import { PIPES, PIPE_HOOKS } from './bash-edits-pipes.ts'

/** Named by their arguments; also declared in src/sandbox/bash/shell.d.ts. */
const HOOKS = `
let __hooks={scriptDepth:Infinity,notFound:(name)=>name+': command not found',refused:()=>null,begins:()=>{},ended:()=>{},held:()=>{},limited:()=>{},
interpreted:(text)=>text,around:(script,run)=>run(),encoded:(text)=>text,decoded:(text)=>text};
export const setHooks=(hooks)=>{__hooks=hooks};
let __substitutions=0,__refusals=0;
const __anyWord=(parser)=>parser.isWord()||/^(?:[LR]BRACE|DBRACK_(?:START|END)|FD_VARIABLE)$/.test(parser.current().type);
const __quietly=async({state},run)=>{const{options}=state,{errexit}=options;options.errexit=false;
try{return await run()}finally{options.errexit=errexit}};
const __exporting=(options,{PWD,OLDPWD,...exported})=>options.replaceEnv?options:{...options,env:{...exported,...options.env}};
`

const EDITS: readonly Edit[] = [
  // The message for an unknown command, with an alternative.
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
  // The status of an assignment alone is 0, or that of the command whose output it takes; never that of an earlier
  // command.
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
  // A command's name may expand to several words: `"$@"`, `"${command[@]}"`, `$TOOL`. Those after the first are
  // arguments.
  {
    find: /let (\w+) = await (\w+\(this\.ctx, (\w+)\.name\))(, \w+ = \[\], \w+ = \[\], (\w+) = \(\w+, \w+\) => \{[\s\S]{0,300}?\n {4}\};)(\s+if \(\w+\(\3\.name, [\s\S]{0,900}?await (\w+)\(this\.ctx, \w+\);\s+for)/g,
    times: 1,
    put: 'let __names=$3.name.parts.every(({type})=>type==="Literal")?[await $2]:(await $7(this.ctx,$3.name)).values,__none=__names.length===0,$1=__names.shift()??""$4for(let __name of __names)$5(__name,true);$6',
  },
  // `set -u` accepts a default for an unset variable.
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
  // `set -e` ignores failures before `&&` and `||` and after `!`, and in everything they call; the final status of
  // a function or a subshell counts.
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
  // If there are none, nothing runs.
  {
    find: /(let \w+ = )(\w+\.name\.parts\.every\(\(\w+\) => \w+\.type === "CommandSubstitution")/g,
    times: 1,
    put: '$1__none||$2',
  },
  // Exported variables also reach programs after `timeout`, `xargs`, `env` and `find -exec`.
  {
    find: /(exportedEnv: (\w+), get stdin\(\) \{[\s\S]{0,600}?exec: \((\w+), (\w+)\) => \w+\.execFn\(\3, )\4(, false\), execWithInheritedStdin: \((\w+), (\w+)\) => \w+\.execFn\(\6, \{ \.\.\.)\7/g,
    times: 1,
    put: '$1__exporting($4,$2)$5__exporting($7,$2)',
  },
  // `set -e` does not apply in `$(…)`.
  {
    find: /= await (\w+)\.executeScript\((\w+(?:\.body)?)\)(?=, \w+ = \w+\.exitCode;\s+(?:return )?\1\.state\.env = )/g,
    times: 2,
    put: '=await __quietly($1,()=>$1.executeScript($2))',
  },
  // In `$((…))`, `$(…)` and `${…}` work as elsewhere: with the shell's variables and folder.
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
  // `break` and `continue` return 0; and `for x` without words loops over the arguments.
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
  // A file that cannot be opened for writing ends its command, not the script; the message gives the reason.
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
  // The output of each statement of the script, once it is complete.
  {
    find: /(async executeScript\((\w+)\) \{[^}]*?)(let (\w+) = await this\.executeStatement\((\w+)\);)/g,
    times: 1,
    put: '$1__hooks.begins($2,$5);$3__hooks.ended($2,$4);',
  },
  // The depth of nested scripts: just-bash counts only functions, `source` and `bash`, each separately.
  {
    find: /async executeScript\((\w+)\) \{(?=\s+this\.assertDefenseContext\()/g,
    times: 1,
    put:
      'async executeScript($1){let __depth=this.ctx.executionScope.enterDepth("script",__hooks.scriptDepth);' +
      'try{return await this.__executeScript($1)}finally{__depth.release()}}async __executeScript($1){',
  },
  // How much output a statement holds: just-bash counts all output ever, including files and pipes.
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
  // Called around each shell: the script of the call and those that it starts.
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
  // Which limit of just-bash ended a script.
  {
    find: /(\w+ = class extends \w+ \{\s+limitType;\s+name = "ExecutionLimitError";[^}]*?constructor\((\w+), (\w+)[^{]*\{)(\s+super\([^;]*?), this\.limitType/g,
    times: 1,
    put: '$1__refusals++;__hooks.limited($3,$2);$4, this.limitType',
  },
  // just-bash runs a file by its path as bash, whatever its first line says.
  {
    find: /if \((\w+)\.startsWith\("#!"\)\) \{\s+let (\w+) = \1\.indexOf\(`\n`\);\s+\2 !== -1 && \(\1 = \1\.slice\(\2 \+ 1\)\);\s+\}(?=\s+let \w+ = \w+\.state\.loopDepth)/g,
    times: 1,
    put: 'if($1.startsWith("#!"))$1=__hooks.interpreted($1);',
  },
  // `rm -f` ignores missing files and no other errors.
  {
    find: /if \(!(\w+)\) (\{\s+let \w+ = (\w+)\((\w+)\);\s+\w+\.includes\("ENOENT"\)[^`]*`rm: cannot remove)/g,
    times: 1,
    put: 'if(!$1||!/ENOENT|no such file/.test($3($4)))$2',
  },
  // A long brace range is expanded completely or refused, never truncated.
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
  // A folder in a long list has no slash after its name.
  {
    find: /(\? \w+\(await \w+\.fs\.lstat\(\w+\)\) : )\w+\.isDirectory \? "\/" : ""/g,
    times: 3,
    put: '$1""',
  },
  // It needs a browser's document.
  {
    find: /\{ name: "html-to-markdown", load: async \(\) => \(.*?\.htmlToMarkdownCommand \},?/g,
    times: 1,
    put: '',
  },
  // Paths of its files are not the host's, so errors may contain them.
  {
    find: /\/\(\?:\\\/\(\?:Users\|home\|private\|var[^/]*nix\|snap\)\)\\b\[[^\]]*\\\]:\]\*\/g/g,
    times: 1,
    put: '/(?!)/g',
  },
]

/** The bundle with its hooks. Throws if a text does not match as often as in just-bash 3.4.2. */
export function editShell(bundle: string): string {
  let text = bundle
  for (const { find, times, put } of [...EDITS, ...BYTES, ...ASSIGNMENTS, ...LIMITS, ...PIPES]) {
    const found = [...text.matchAll(find)].length
    if (found !== times)
      throw new Error(
        `just-bash's bundle has ${found} matches of ${find.source.slice(0, 60)}…, not ${times}: compare ` +
          'scripts/runtimes/bash-edits.ts with the new version.',
      )
    text = text.replace(find, put)
  }
  return text + HOOKS + PIPE_HOOKS
}
