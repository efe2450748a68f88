// Guards the session: a key is stored only where its owner wants it and only if the server accepts it, a link never
// changes accounts without asking, and an expired key loses nothing on the page.

import { expect, it } from 'vitest'

import { createSession } from '../../../src/page/state/key/session.ts'
import { browserOf, fakePage, list, refusal, type Answers, type Tabs } from './ports.ts'

const NAME = 'satchel.key'

function tabOf(taken: () => readonly string[], tabs: Tabs = browserOf(), before: string | null = null) {
  const answer =
    (response: (key: string) => Response) =>
    (_: URL, init: RequestInit): Response => {
      const key = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? ''
      return taken().includes(key) ? response(key) : refusal(401, 'unauthorized')
    }
  const answers: Answers = {
    'GET /v1/threads': answer(() => list([])),
    'GET /v1/me': answer((key) =>
      Response.json({ workspace: 'default', role: key.split('-')[1] ?? 'chat', user: null }),
    ),
  }
  const page = fakePage(answers, tabs)
  if (before !== null) page.ports.tab.set(NAME, before)
  const reached: boolean[] = []
  const session = createSession(page.ports, 'http://page.test', (came) => reached.push(came))
  const kept = () => [page.ports.tab.get(NAME), page.ports.browser.get(NAME)]
  const ask = async () => session.client.value?.json('GET', '/v1/threads')
  return { ...page, answers, session, kept, ask, reached }
}

it('starts at once with a stored key, and stores one from a link when the server accepts it', async () => {
  const tab = tabOf(() => ['mine'])
  tab.session.start('mine')
  expect(tab.session.client.value).not.toBeNull()
  expect(tab.kept()).toEqual([null, null])
  await tab.ask()
  await tab.pass(0)
  expect(tab.kept()).toEqual(['mine', null])
})

it('stores a key only after the server has accepted it, not after any other response', async () => {
  const tab = tabOf(() => ['mine'])
  let isUp = false
  const { answers } = tab
  answers['GET /v1/threads'] = () => refusal(503, 'unavailable')
  answers['GET /v1/skills'] = () => list([])
  answers['GET /v1/me'] = () => (isUp ? Response.json({ role: 'chat' }) : refusal(500, 'internal'))
  tab.session.start('mine')
  await tab.ask()
  await tab.session.client.value?.json('GET', '/v1/skills')
  await tab.pass(0)
  expect(tab.kept()).toEqual([null, null])
  isUp = true
  await tab.session.client.value?.json('GET', '/v1/skills')
  await tab.pass(0)
  expect(tab.kept()).toEqual(['mine', null])
})

it('waits a moment for the key of another tab before it asks for one', async () => {
  const tab = tabOf(() => [])
  tab.session.start(null)
  expect(tab.session.isAwaitingKey.value).toBe(true)
  await tab.pass(200)
  expect([tab.session.isAwaitingKey.value, tab.session.client.value]).toEqual([false, null])
  const stored = tabOf(() => ['mine'], browserOf(), 'mine')
  stored.session.start(null)
  expect([stored.session.isAwaitingKey.value, stored.session.client.value === null]).toEqual([false, false])
})

it('asks for a key when the stored one is not accepted, and removes that one', async () => {
  const tab = tabOf(() => [], browserOf(), 'old')
  tab.session.start(null)
  await tab.ask()
  expect([tab.session.client.value, tab.session.isKeyRefused.value, tab.kept()]).toEqual([
    null,
    true,
    [null, null],
  ])
  expect(tab.session.signOutCount.value).toBe(0)
})

it('keeps the page and asks in a dialog when the key expires, once', async () => {
  let taken = ['old', 'new']
  const tab = tabOf(() => taken, browserOf(), 'old')
  tab.session.start(null)
  await tab.ask()
  taken = ['new']
  await tab.ask()
  expect([
    tab.session.client.value === null,
    tab.session.isExpired.value,
    tab.session.isAskingForKey.value,
  ]).toEqual([false, true, true])
  tab.session.isAskingForKey.value = false
  await tab.ask()
  expect(tab.session.isAskingForKey.value).toBe(false)
  expect((await tab.session.enter('wrong', false)).ok).toBe(false)
  expect(tab.session.isExpired.value).toBe(true)
  expect((await tab.session.enter('new', false)).ok).toBe(true)
  expect([tab.session.isExpired.value, tab.kept()]).toEqual([false, ['new', null]])
})

it('resumes with the same key when the server accepts it again, and restarts what it stopped', async () => {
  let taken = ['mine']
  const tab = tabOf(() => taken, browserOf(), 'mine')
  tab.session.start(null)
  await tab.ask()
  const { value: before } = tab.session.client
  taken = []
  await tab.ask()
  expect([tab.session.isExpired.value, tab.session.client.value === before]).toEqual([true, true])
  taken = ['mine']
  await tab.session.enter('mine', false)
  expect([tab.session.isExpired.value, tab.session.client.value === before]).toEqual([false, false])
})

it('asks before a link switches to another account', () => {
  const tab = tabOf(() => ['mine', 'theirs'], browserOf(), 'mine')
  tab.session.start('theirs')
  expect(tab.session.offeredKey.value).toBe('theirs')
  const { value: before } = tab.session.client
  tab.session.decideOffer(false)
  expect([tab.session.offeredKey.value, tab.session.client.value === before]).toEqual([null, true])
  tab.session.start('theirs')
  tab.session.decideOffer(true)
  expect(tab.session.client.value === before).toBe(false)
  tab.session.start('theirs')
  expect(tab.session.offeredKey.value).toBeNull()
})

it('stores the key in the browser on request, and forgets it in all tabs that got it from there', async () => {
  const tabs = browserOf()
  const [one, two] = [tabOf(() => ['mine'], tabs), tabOf(() => ['mine'], tabs)]
  const other = tabOf(() => ['own'], tabs, 'own')
  await one.session.enter('mine', true)
  expect(one.kept()).toEqual(['mine', 'mine'])
  two.session.start(null)
  other.session.start(null)
  expect([two.session.isRemembered.value, other.session.isRemembered.value]).toEqual([true, false])
  one.session.forget()
  expect(one.kept()).toEqual([null, null])
  expect([two.session.client.value, two.session.signOutCount.value]).toEqual([null, 1])
  expect(other.session.client.value).not.toBeNull()
})

it('passes the key to a tab that has none, and forgets it in all tabs that use it', async () => {
  const tabs = browserOf()
  const [one, two, other] = [tabOf(() => ['mine'], tabs), tabOf(() => ['mine'], tabs), tabOf(() => [], tabs)]
  one.session.start('mine')
  two.session.start(null)
  expect(two.session.client.value, 'nobody knows yet whether the server takes it').toBeNull()
  await one.ask()
  two.session.start(null)
  other.session.start('typed')
  expect([two.session.client.value === null, one.session.account() === two.session.account()]).toEqual([
    false,
    true,
  ])
  await two.ask()
  expect([two.session.isBorrowed.value, two.kept()]).toEqual([true, [null, null]])
  two.session.forget()
  expect([one.session.client.value, one.kept(), two.kept()]).toEqual([null, [null, null], [null, null]])
  two.session.start(null)
  expect(two.session.client.value).toBeNull()
  expect(other.session.client.value).not.toBeNull()
})

it.each([
  ['a-chat', null, 'a-chat'],
  ['a-publisher', null, null],
  ['an-admin', null, null],
  ['an-admin', true, 'an-admin'],
  ['a-chat', false, null],
])('%s with the choice %s leaves %s in the browser', async (key, choice, left) => {
  const tab = tabOf(() => [key])
  await tab.session.enter(key, choice)
  expect(tab.kept()).toEqual([key, left])
  // The same holds in a browser that has remembered a key.
  tab.ports.browser.set(NAME, 'earlier')
  await tab.session.enter(key, choice)
  expect(tab.kept()).toEqual([key, left])
})

it('can store the key longer, or shorter, without entering it again', async () => {
  const tab = tabOf(() => ['mine'])
  await tab.session.enter('mine', false)
  tab.session.remember(true)
  expect([tab.kept(), tab.session.isRemembered.value]).toEqual([['mine', 'mine'], true])
  tab.ports.tab.remove(NAME)
  tab.session.remember(false)
  expect([tab.kept(), tab.session.isRemembered.value]).toEqual([['mine', null], false])
})

it('reports whether the server was reached, ignoring abandoned requests', async () => {
  const tab = tabOf(() => ['mine'])
  tab.session.start('mine')
  await tab.ask()
  await tab.session.client.value?.json('GET', '/v1/skills')
  await tab.pass(0)
  expect(tab.reached).toEqual([true, true, true])
})
