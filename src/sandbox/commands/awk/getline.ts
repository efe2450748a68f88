// The forms of `getline`: 1 for a record, 0 at the end, -1 for an error.

import { then1, waiting, type Code } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Tree } from './tree.ts'
import { Input, type Value } from './values.ts'

export function readLine(tree: Tree & { kind: 'getline' }, compiler: Compiler): Code<Value> {
  const { machine, scope, compile } = compiler
  const location = tree.into ? scope.location(tree.into, compile) : null
  const store = async (text: string): Promise<void> => {
    if (location) (await location.run()).value = new Input(text)
    else machine.record.read(text)
  }
  if (!tree.source)
    return waiting<Value>(async () => {
      const text = await machine.nextRecord()
      if (text === null) return 0
      await store(text)
      return 1
    })
  const { streams } = machine
  return then1(compile(tree.source), async (value): Promise<Value> => {
    const name = machine.text(value)
    const reader = await streams.source(name, tree.from === 'command')
    if (!reader) {
      machine.cell('ERRNO').value = 'No such file or directory'
      return -1
    }
    const record = reader.ready(machine.separator) ?? (await reader.next(machine.separator))
    if (!record) return 0
    machine.cell('RT').value = record.ended
    await store(record.text)
    return 1
  })
}
