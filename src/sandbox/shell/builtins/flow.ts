// Commands that leave loops, functions or the shell.

import { CommandError, ExitFlow, LoopFlow, ReturnFlow } from '../state/flow.ts'
import { parseWhole, report, type Builtin, type BuiltinCall } from './builtin.ts'

export const exit: Builtin = async (call) => {
  const status = await statusOf(call)
  throw new ExitFlow(status)
}

export const returns: Builtin = async (call) => {
  const { shell } = call
  if (shell.frames.length === 0)
    throw new CommandError("can only `return' from a function or sourced script", 2)
  throw new ReturnFlow(await statusOf(call))
}

async function statusOf(call: BuiltinCall): Promise<number> {
  const [text] = call.args[0] === '--' ? call.args.slice(1) : call.args
  if (text === undefined) return call.shell.status
  const status = parseWhole(text)
  if (status !== null) return ((status % 256) + 256) % 256
  await report(call, `${text}: numeric argument required`)
  return 2
}

function loop(kind: 'break' | 'continue'): Builtin {
  return async (call) => {
    const { shell, args } = call
    if (shell.loops === 0) {
      await report(call, "only meaningful in a `for', `while', or `until' loop")
      return 0
    }
    const levels = parseWhole(args[0] ?? '1')
    if (levels === null) {
      await report(call, `${args[0] ?? ''}: numeric argument required`)
      throw new ExitFlow(128)
    }
    if (levels < 1) {
      await report(call, `${levels}: loop count out of range`)
      throw new LoopFlow('break', shell.loops)
    }
    throw new LoopFlow(kind, Math.min(levels, shell.loops))
  }
}

export const breaks = loop('break')
export const continues = loop('continue')
