// Guards that the writes of a program to its two streams keep their order.

import { describe, expect, it } from 'vitest'

import {
  runsOf,
  WriteOrder,
  type OrderedOutput,
  type OutputStream,
} from '../../../src/sandbox/write-order.ts'

function shown(output: OrderedOutput): string {
  return [...runsOf(output)]
    .map(({ stream, bytes }) => `${stream}:${new TextDecoder().decode(bytes)}`)
    .join(' ')
}

function recorded(...writes: readonly (readonly [OutputStream, string])[]): OrderedOutput {
  const order = new WriteOrder()
  for (const [stream, text] of writes) order.add(stream, text.length)
  const all = (wanted: OutputStream): Uint8Array =>
    new TextEncoder().encode(writes.flatMap(([stream, text]) => (stream === wanted ? [text] : [])).join(''))
  return { stdout: all('stdout'), stderr: all('stderr'), order: order.lengths }
}

describe('the order of writes', () => {
  it('is kept, and adjacent writes of the same stream are one run', () => {
    const output = recorded(
      ['stderr', 'a'],
      ['stdout', 'b'],
      ['stdout', 'c'],
      ['stdout', ''],
      ['stderr', 'd'],
    )
    expect(output.order).toEqual([0, 1, 2, 1])
    expect(shown(output)).toBe('stderr:a stdout:bc stderr:d')
  })

  it('puts missing writes at the end', () => {
    const [stdout, stderr] = [new TextEncoder().encode('ab'), new TextEncoder().encode('cd')]
    expect(shown({ stdout, stderr, order: [0, 1, 1] })).toBe('stderr:c stdout:a stdout:b stderr:d')
    expect(shown({ stdout, stderr })).toBe('stdout:ab stderr:cd')
  })

  it('has a limited number of runs', () => {
    const order = new WriteOrder()
    for (let index = 0; index < 400_000; index++) order.add(index % 2 === 0 ? 'stdout' : 'stderr', 1)
    expect(order.lengths).toHaveLength(262_144)
  })
})
