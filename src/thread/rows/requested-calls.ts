// The calls that a message of the model requests. A call of call_tool is read as the call that it makes, so everything
// that follows sees its target.

import { isToolUse } from '../../agent/message.ts'
import { callKey } from '../../agent/repeat.ts'
import type { LastMessage } from './message-row.ts'
import type { Revealed, TargetCall } from './revealed.ts'

export interface RequestedCall {
  /** Sequence number of the message that requests the call, and the call's position in that message. */
  readonly message: number
  readonly ord: number
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
  /** Identifies tool and input. */
  readonly callKey: string
  /** Set if the call was made through call_tool; name and input are those of its target. */
  readonly through?: Pick<TargetCall, 'row' | 'repairs'>
}

export type Targets = Pick<Revealed, 'target'>

/** In the order of the message. A repeated ID counts only once. */
export function requestedCalls(
  { seq, content }: Pick<LastMessage, 'seq' | 'content'>,
  revealed: Targets,
): readonly RequestedCall[] {
  const ids = new Set<string>()
  return content.filter(isToolUse).flatMap(({ id, name: written, input: writtenInput }, ord) => {
    if (ids.has(id)) return []
    ids.add(id)
    const target = revealed.target(written, writtenInput, seq)
    const name = target?.row.name ?? written
    const input = target?.input ?? writtenInput ?? {}
    const call = { message: seq, ord, toolUseId: id, name, input, callKey: callKey(name, input) }
    return [target ? { ...call, through: { row: target.row, repairs: target.repairs } } : call]
  })
}
