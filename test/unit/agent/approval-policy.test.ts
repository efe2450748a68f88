// Guards "a call that needs approval is not made without it": when the rule of a tool needs approval, how several
// policies combine, and which inputs count as the same call.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NEVER_ASK, stricterRule, type ApprovalRule } from '../../../src/agent/approval.ts'
import { valueAt, withoutValuesAt } from '../../../src/lib/json-pointer.ts'
import { checkApprovalRule } from '../../../src/agent/policies/approval.ts'
import { judgeCall } from '../../../src/agent/policies/judge.ts'
import { ALLOW, type CallFacts, type Policy, type Verdict } from '../../../src/agent/policy.ts'

const FACTS: CallFacts = {
  name: 'pay',
  source: 'builtin',
  isInvalidCall: false,
  group: null,
  effect: 'once',
  input: { amount: 10, to: { name: 'ann' }, tags: ['a/b', 'c~d'] },
  approval: NEVER_ASK,
  preview: null,
  untrusted: [],
  canAskPerson: true,
  earlierCalls: 0,
  callsPerTool: 50,
  lists: [],
  untrustedThenAct: 'ask',
  address: null,
  linkBits: 40,
  allowedCalls: [],
}

function asks(rule: ApprovalRule, more: Partial<CallFacts> = {}): boolean {
  return checkApprovalRule({ ...FACTS, ...more, approval: rule }).do === 'ask'
}

describe('the rule of a tool', () => {
  const match = (field: string, matches: string): ApprovalRule => ({
    ask: 'match',
    when: [{ field, matches }],
  })
  it.each([
    [NEVER_ASK, false],
    [{ ask: 'always' } as const, true],
    [{ ask: 'match' } as const, false],
    [match('/amount', '^\\d{2,}$'), true],
    [match('/amount', '^\\d{3,}$'), false],
    [match('/to/name', '^a'), true],
    [match('/to', '"name":"ann"'), true],
    [match('/tags/0', 'a/b'), true],
    [match('/none', '.*'), false],
    [match('/constructor', '.*'), false],
    [match('', 'ann'), true],
    // As the value would be sent in a list, or in a list of lists.
    [match('/tags', '^a/b$'), true],
    [match('', '^ann$'), true],
    [match('/tags', '^b$'), false],
    // A pattern that cannot be evaluated asks rather than allows.
    [match('/amount', '(?=x)'), true],
    [match('/amount', '('), true],
  ])('%j asks: %s', (rule, does) => {
    expect(asks(rule)).toBe(does)
  })

  const bounds = (more: { minimum?: number; maximum?: number }): ApprovalRule => ({
    ask: 'match',
    when: [{ field: '/amount', ...more }],
  })
  const asksOf = (rule: ApprovalRule, amount: unknown): boolean => asks(rule, { input: { amount } })

  it('compares numbers as numbers, and asks about anything else', () => {
    const many = [1000, 1e21, 1e308, 1000.5, '1000', '1000.00', [1, 2000], { a: { b: 5000 } }]
    const none = [
      '',
      'a',
      '1e3',
      '١٠٠٠',
      '１０００',
      ' 5',
      '5,000',
      '0x1',
      true,
      null,
      [1, 'x'],
      { a: false },
    ]
    const empty = [[], {}, [[], {}]]
    for (const amount of [...many, ...none, ...empty])
      expect(asksOf(bounds({ minimum: 1000 }), amount)).toBe(true)
    for (const amount of [999.99, 0, -0, -5000, '12.50', [1, 2], undefined])
      expect(asksOf(bounds({ minimum: 1000 }), amount)).toBe(false)
    for (const amount of [0, -0, -5000, -1e21, '-1', ...none])
      expect(asksOf(bounds({ maximum: 0 }), amount)).toBe(true)
    for (const amount of [0.01, 5e-324, 1e21]) expect(asksOf(bounds({ maximum: 0 }), amount)).toBe(false)
    for (const amount of [-Infinity, Infinity, Number.NaN, '9'.repeat(400)])
      for (const one of [{ minimum: 1000 }, { maximum: 0 }])
        expect(asksOf(bounds(one), amount), String(amount)).toBe(true)
    expect([5, 10, 15, 20, 25].map((amount) => asksOf(bounds({ minimum: 10, maximum: 20 }), amount))).toEqual(
      [false, true, true, true, false],
    )
  })

  it('counts field names of an object as values, because a server may read them so', () => {
    const evil = match('/amount', '^[^@]+@evil\\.test$')
    for (const to of [
      ['b@evil.test'],
      { 'b@evil.test': true },
      [{ 'b@evil.test': {} }],
      { a: { 'b@evil.test': 1 } },
    ])
      expect(asksOf(evil, to), JSON.stringify(to)).toBe(true)
    expect(asksOf(evil, { 'b@good.test': true })).toBe(false)
    expect(asksOf(bounds({ minimum: 1000 }), { 5000: 1 })).toBe(true)
    expect(asksOf(bounds({ minimum: 1000 }), { 5: 1 })).toBe(false)
  })

  it('applies a pattern to every form in which a number can be read', () => {
    const large = [
      1000,
      1e21,
      1.5e22,
      -5000,
      -1e21,
      '1e21',
      '5e3',
      '-5000',
      '5,000',
      '5 000',
      '0x1388',
      [5e3],
    ]
    const normalizeUrl = ['１０００', '١٠٠٠', '1\u200B000', '१०००', ' 1000 ', '\u{1D7CF}000']
    for (const amount of [...large, ...normalizeUrl])
      expect(asksOf(match('/amount', '^\\d{4,}$'), amount), String(amount)).toBe(true)
    for (const amount of [999, -0, 1e-7, '12.50', 'abc', true, null])
      expect(asksOf(match('/amount', '^\\d{4,}$'), amount), String(amount)).toBe(false)
    expect(asksOf(match('/amount', '^0\\.00000012$'), 1.2e-7)).toBe(true)
    expect(asksOf(match('/amount', '^123450000000000000000000$'), 1.2345e23)).toBe(true)
  })

  it('of the documentation cannot be evaded by the spelling of an amount', () => {
    const [json = ''] =
      /\{\n {2}"ask": "match",[\s\S]*?\n\}/.exec(readFileSync('docs/tools.md', 'utf8')) ?? []
    const rule = JSON.parse(json) as ApprovalRule
    const input = (amount: unknown, currency = 'eur'): Partial<CallFacts> => ({ input: { amount, currency } })
    for (const amount of [1000, 1e21, -5000, 0, '5e3', '١٠٠٠', [5000], { n: 5000 }, true])
      expect(asks(rule, input(amount)), JSON.stringify(amount)).toBe(true)
    expect(asks(rule, input(999.99))).toBe(false)
    for (const currency of ['BTC', 'ｂｔｃ', 'b\u200Btc']) expect(asks(rule, input(1, currency))).toBe(true)
  })

  it('does not ask about an invalid call, which sends nothing', () => {
    expect(asks({ ask: 'always' }, { isInvalidCall: true })).toBe(false)
  })

  it('asks if either the old or the new version does', () => {
    const some = match('/a', 'x')
    expect(stricterRule(NEVER_ASK, { ask: 'always' }).ask).toBe('always')
    expect(stricterRule({ ask: 'always' }, some).ask).toBe('always')
    expect(stricterRule(some, match('/b', 'y')).when).toHaveLength(2)
    expect(stricterRule(NEVER_ASK, { ...some, by: 'admin' })).toEqual({ ...some, by: 'admin' })
    expect(stricterRule({ ask: 'always', by: 'admin' }, { ask: 'always' }).by).toBe('admin')
    const free = { ask: 'always', free: ['/a', '/b'] } as const
    expect(stricterRule(free, { ask: 'always', free: ['/b'] }).free).toEqual(['/b'])
    expect(stricterRule(free, { ask: 'always' }).free).toBeUndefined()
    expect(stricterRule(NEVER_ASK, free).free).toEqual(['/a', '/b'])
  })
})

describe('combined policies', () => {
  const ask = (policy: string): Verdict => ({ do: 'ask', policy, reason: policy })
  const deny: Verdict = { do: 'deny', policy: 'no', message: 'No.' }
  const now =
    (verdict: Verdict): Policy =>
    () =>
      verdict
  const later =
    (verdict: Verdict): Policy =>
    async () =>
      verdict

  it.each<[string, readonly Policy[], Verdict]>([
    ['allow if none objects', [now(ALLOW)], ALLOW],
    [
      'ask as the first that asks, with all reasons',
      [now(ALLOW), now(ask('a')), now(ask('b'))],
      { do: 'ask', policy: 'a', reason: 'a b' },
    ],
    ['deny, even after one that asks', [now(ask('a')), now(deny)], deny],
  ])('%s', async (_, policies, verdict) => {
    const at = judgeCall(FACTS, policies)
    expect(at).not.toBeInstanceOf(Promise)
    expect(at).toEqual(verdict)
    // The result is the same however many patterns are slow.
    for (const slow of [0, 1, 2]) {
      const mixed = policies.map((policy, n) =>
        n === slow ? async (facts: CallFacts) => policy(facts) : policy,
      )
      expect(await judgeCall(FACTS, mixed)).toEqual(verdict)
    }
    expect(await judgeCall(FACTS, [...policies, later(deny)])).toEqual(deny)
  })
})

describe('pointers', () => {
  it('find values, and only own properties of the input', () => {
    const { input } = FACTS
    expect(valueAt(input, '/to/name')).toBe('ann')
    expect(valueAt({ 'a/b': { '~': 1 } }, '/a~1b/~0')).toBe(1)
    expect(valueAt(input, '')).toBe(input)
    expect(valueAt(input, '/tags/length')).toBeUndefined()
    expect(valueAt(input, '/__proto__')).toBeUndefined()
  })

  it('remove what they name and no more', () => {
    expect(withoutValuesAt(FACTS.input, ['/amount', '/to/name', '/tags/1', '/none/x'])).toEqual({
      to: {},
      tags: ['a/b', null],
    })
    expect(withoutValuesAt('text', ['/a'])).toBe('text')
    expect(withoutValuesAt({ a: 1 }, [''])).toBeNull()
  })
})
