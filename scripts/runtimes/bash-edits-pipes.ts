// Edits of just-bash's pipes: Satchel's own commands run at the same time as the next one and pass bytes on as they
// come. Other members of a pipe still get and return whole texts.

import type { Edit } from './bash-edit.ts'

/** `__inputs`: the pipe that a command reads; `__outputs`: commands that may write into one. By parsed command. */
export const PIPE_HOOKS = `
const __inputs=new WeakMap(),__outputs=new WeakSet();
let __member=null,__started=null;
export const takeMember=()=>{const member=__member;__member=null;return member};
export const refusedOnce=()=>{__refusals++};
const __drain=async(node)=>{const pipe=__inputs.get(node);__inputs.delete(node);return pipe?__hooks.drained(pipe):''};
const __begin=async(ctx,node,name,stdin,redirected)=>{
const pipe=__inputs.get(node),own=!ctx.state.functions.has(name)&&__hooks.streams(name);
if(pipe&&redirected){pipe.close();__inputs.delete(node)}
if(pipe&&!redirected&&!own)stdin=await __drain(node);
__member=own?{fromFile:node.redirections.some(({operator})=>operator==="<"),input:redirected?null:__inputs.get(node)??null,output:__outputs.has(node)?(started)=>{__started=started}:null}:null;
return stdin};
const __passed=(node,next,index,ends)=>{
if(__started===null)__inputs.get(node)?.close();
else{__inputs.set(next,__started.pipe);ends.push([index,__started.done]);__started=null}
__inputs.delete(node)};
`

export const PIPES: readonly Edit[] = [
  // Bytes as text and back, without loss where they are not UTF-8.
  {
    find: /return (\w+)\((\w+)\) === "bytes" \? \w+\(\2\.stdout\) : \2\.stdout;/g,
    times: 1,
    put: 'return $1($2)==="bytes"?__hooks.decoded($2.stdout):$2.stdout;',
  },
  {
    find: /(function \w+\((\w+), \w+ = \w+\) \{\s+if \(!\2\) return \2;\s+\w+\(\w+\(\2\), \w+, "UTF-8 encode"\);)[\s\S]*?return \w+;/g,
    times: 1,
    put: '$1return __hooks.encoded($2);',
  },
  // Before a member: whether it may write into a pipe, and its input as text unless it reads the pipe itself.
  {
    find: /(let (\w+) = (\w+)\.commands\[(\w+)\], (\w+) = \4 === \3\.commands\.length - 1, \w+ = \4 === 0;)([\s\S]{0,900}?try \{)(\s+\w+\.state\.commandCount = [^;]*? = await (\w+)\(\2, (\w+)\);)/g,
    times: 1,
    put:
      '$1$6if(!$5&&!$3.pipeStderr?.[$4]&&$2.type==="SimpleCommand"&&$2.redirections.length===0)__outputs.add($2);' +
      'if($2.type!=="SimpleCommand"&&__inputs.has($2))$9=await __drain($2);' +
      '$7__passed($2,$3.commands[$4+1],$4,__ends);',
  },
  // After the last member: exit codes and errors of those that ran beside it.
  {
    find: /async function \w+\(\w+, (\w+), \w+\) \{\s+let (\w+) = \1\.timed \? [^;]*?, \w+ = "", (\w+) = \w+, (\w+) = 0, (\w+) = \[\], (\w+) = "", [^;]*;/g,
    times: 1,
    put: '$&let __ends=[];const __pipeEnds=async()=>{for(let __node of $1.commands)__inputs.get(__node)?.close();if(__ends.length===0)return;for(let [__at,__done] of __ends){let __end=await __done;$5[__at]=__end.exitCode;$6+=__end.stderr}$4=$5.findLast((code)=>code!==0)??0};',
  },
  {
    find: /(\w+) && \((\w+) = \{ \.\.\.\2, stderr: \1 \+ \2\.stderr, internalOutputAccounting: /g,
    times: 1,
    put: 'await __pipeEnds();$&',
  },
  {
    find: /async executeSimpleCommandInner\((\w+), \w+, \w+\) \{/g,
    times: 1,
    put: '$&const __node=$1;',
  },
  {
    find: /(\w+) = (await this\.runCommand\((\w+), \w+, \w+, (\w+), false, false, \w+, (\w+)\);)/g,
    times: 1,
    put: '$4=await __begin(this.ctx,__node,$3,$4,$5);$1 = $2',
  },
  // A command that runs beside the next one uses its files after just-bash takes it for ended.
  {
    find: /if \(!\w+\) throw new \w+\("", `bash: \$\{\w+\} used its context after cancellation\s`\);/g,
    times: 1,
    put: '',
  },
]
