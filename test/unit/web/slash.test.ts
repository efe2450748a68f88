// Whoever begins a message with a slash is offered the skills that it could call, and nothing that it could not.

import { expect, it } from 'vitest'

import { offered } from '../../../src/web/assets/slash.js'

function command(name: string, user_invocable = true) {
  return { name, description: `Use for ${name}.`, user_invocable, argument_hint: null }
}

const COMMANDS = [
  ...['api-design', 'code-review', 'review', 'release-notes'].map((name) => command(name)),
  command('review-machines', false),
  command('révision'),
]

it.each<[string, string, readonly string[]]>([
  ['/', '/', ['api-design', 'code-review', 'review', 'release-notes']],
  ['/re', '/', ['review', 'release-notes', 'code-review']],
  ['/review', '/', ['review', 'code-review']],
  ['/review /re', '/review /', ['release-notes', 'code-review']],
  ['/review\n/', '/review\n/', ['api-design', 'code-review', 'release-notes']],
  ['/none', '/', []],
  ['/review ', '', []],
  ['/review it /re', '', []],
  [' /re', '', []],
  ['/etc/ho', '', []],
  ['a /re', '', []],
  ['', '', []],
])('%j', (before, head, names) => {
  const { found, ...rest } = offered(before, COMMANDS)
  expect(rest).toEqual({ head })
  expect(found.map(({ name }) => name)).toEqual(names)
})

it('offers a list that can be read', () => {
  const many = Array.from({ length: 100 }, (_, at) => command(`s${at}`))
  expect(offered('/s', many).found).toHaveLength(8)
})
