// Guards the skill library: every skill can be found, read with its files, and tried; with thousands of skills the
// page draws only those on the screen. Guards the view of tools: servers that need an admin come first, and their
// marks are true.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { violations } from './accessible.ts'
import { box, complaints, list, lists, refusal, satchel, scripted, signedIn } from './open.ts'
import { agentTool, mcpServer, skill } from './walk-data.ts'

const library = (page: Page) => page.getByRole('region', { name: 'Skills' })
const lines = (page: Page) => library(page).getByRole('list', { name: 'All skills' }).getByRole('listitem')

describe('the skills of a server', () => {
  it('can be listed, filtered, read with their files, and tried', async () => {
    const page = await signedIn()
    await page.getByRole('link', { name: 'Skills', exact: true }).click()
    await library(page).getByText('incident-report').waitFor()
    await expect.poll(async () => page.title()).toBe('Skills · Satchel')
    await page.getByLabel('Filter skills').fill('postmortem')
    await library(page).getByText('1 skill of').waitFor()
    await expect.poll(async () => lines(page).count()).toBe(1)
    await lines(page)
      .getByRole('link', { name: /incident-report/ })
      .click()
    await page.getByRole('heading', { level: 2, name: 'Write an incident report' }).waitFor()
    await expect.poll(async () => page.getByRole('heading', { level: 1 }).innerText()).toBe('Skills')
    await expect.poll(async () => page.title()).toBe('Write an incident report · Satchel')
    const body = page.getByRole('article', { name: 'SKILL.md' })
    await body.getByRole('heading', { name: 'Incident report' }).waitFor()
    await body.getByRole('table').first().waitFor()
    await expect
      .poll(async () => page.getByText('Digest').locator('..').innerText())
      .toMatch(/Digest\s+[0-9a-f]{10}/)

    await page.getByRole('button', { name: 'scripts/timeline.py' }).click()
    const file = page.getByRole('dialog', { name: 'scripts/timeline.py' })
    await file.getByText('import argparse').waitFor()
    const download = page.waitForEvent('download')
    await file.getByRole('button', { name: 'Download', exact: true }).click()
    expect((await download).suggestedFilename()).toBe('timeline.py')
    await page.keyboard.press('Escape')
    await file.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('heading', { level: 1, name: 'New thread' }).waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('/incident-report ')
    await page.goBack()
    await page.getByRole('link', { name: 'All skills' }).click()
    // The list is as it was left.
    await expect.poll(async () => page.getByLabel('Filter skills').inputValue()).toBe('postmortem')
  })

  it('are suggested in an empty thread', async () => {
    const page = await signedIn()
    const ideas = page.getByRole('list', { name: 'Ideas' }).getByRole('button')
    await ideas.first().waitFor()
    await expect.poll(async () => ideas.count()).toBe(4)
    // People who never used a skill see those with the most examples. Other files use skills at the same time.
    const shown = (await ideas.first().innerText()).split('\n').filter(Boolean)
    await ideas.first().click()
    const message = async (): Promise<string> => box(page).inputValue()
    // A title, and what the skill does in one line for people.
    expect(shown).toEqual([expect.stringMatching(/^[A-Z]/), expect.not.stringMatching(/^Use |…$/)])
    await expect.poll(message).toMatch(/^[^/]/)
    await page.getByRole('button', { name: 'Demo model', exact: true }).click()
    await page.getByText('ANTHROPIC_API_KEY').first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await box(page).press('Enter')
    await page.getByRole('button', { name: 'Good answer' }).waitFor()
  })
})

describe('many skills', () => {
  it('are drawn only where they are visible, and the list returns to its scroll position', async () => {
    const all = Array.from({ length: 5_000 }, (_, at) => skill(`skill-${String(at).padStart(4, '0')}`))
    const { page } = await scripted('&skills=', {
      'GET /v1/skills/skill-4999': async () => ({
        json: { ...skill('skill-4999'), body: 'Do it.', manifest: [] },
      }),
      'GET /v1/skills': async (request) => {
        const query = new URL(request.url()).searchParams
        if (query.get('for') === 'person') return list()
        const from = Number(query.get('cursor') ?? 0)
        const to = from + Number(query.get('limit'))
        return { json: { data: all.slice(from, to), next_cursor: to < all.length ? String(to) : null } }
      },
    })
    await library(page).getByText('5,000 skills').waitFor()
    await expect.poll(async () => lines(page).count()).toBeLessThan(40)
    const last = library(page).getByText('skill-4999', { exact: true })
    await page.locator('.window').evaluate((window) => window.scrollTo(0, window.scrollHeight))
    await last.waitFor()
    await expect.poll(async () => lines(page).count()).toBeLessThan(40)
    await expect
      .poll(async () => last.locator('xpath=ancestor::li').getAttribute('aria-posinset'))
      .toBe('5000')
    await last.click()
    await page.getByRole('heading', { level: 2, name: 'skill-4999' }).waitFor()
    await page.goBack()
    await last.waitFor()
    await page.getByLabel('Filter skills').fill('4321')
    await library(page).getByText('1 skill of 5,000').waitFor()
    await library(page).getByText('skill-4321', { exact: true }).waitFor()
    await page.getByLabel('Filter skills').fill('no such thing')
    await library(page).getByText('No results for “no such thing”').waitFor()
  })
})

describe('a skill', () => {
  it('is marked when it is disabled, and requested in a sentence when only the agent can call it', async () => {
    const quiet = { ...skill('quiet', { user_invocable: false }), body: '# Quiet', manifest: [] }
    const hint = { ...skill('deploy', { argument_hint: '<service>', tags: ['ops'] }), body: '', manifest: [] }
    const { page } = await scripted('&skills=', {
      'GET /v1/skills': async (request) => ({
        json: { data: request.url().includes('for=person') ? [hint] : [quiet, hint], next_cursor: null },
      }),
      'GET /admin/skills': async () => ({
        json: { data: [quiet, hint, skill('sleeping', { enabled: false })], next_cursor: null },
      }),
      'GET /v1/skills/quiet': async () => ({ json: quiet }),
      'GET /v1/skills/deploy': async () => ({ json: hint }),
    })
    await lines(page)
      .getByRole('link', { name: /sleeping switched off/ })
      .waitFor()
    await lines(page)
      .getByRole('link', { name: /deploy/ })
      .click()
    await page.getByText('/deploy <service>').waitFor()
    await page.goBack()
    await lines(page).getByRole('link', { name: /quiet/ }).click()
    await page.getByText('agent only').waitFor()
    await page.getByRole('button', { name: 'Try it' }).click()
    await expect.poll(async () => box(page).inputValue()).toBe('Use the quiet skill: ')
  })

  it('that does not exist is reported', async () => {
    const page = await signedIn()
    await page.goto(`${satchel.url}/#skill=no-such-skill`)
    await page.getByRole('alert').getByText('The skill “no-such-skill” could not be shown').waitFor()
  })
})

it('a view that cannot be rendered says so, and the rest of the page still works', async () => {
  const { page } = await scripted('&skill=older', {
    // Satchel's server never sends this: a list instead of a skill.
    'GET /v1/skills/older': async () => ({ json: { data: [] } }),
  })
  await page.getByRole('alert').getByText('This cannot be shown').waitFor()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('TypeError')])
  await page.getByRole('button', { name: 'New thread' }).first().click()
  await box(page).waitFor()
})

describe('the tools', () => {
  const tools = (page: Page) => page.getByRole('region', { name: 'Tools' })
  const builtin = { source: 'builtin', origin: null, effect: 'idempotent', approval: { ask: 'never' } }

  it('start with the servers that need an admin, and say what each tool may do', async () => {
    const calm = { blocked: 0, unapproved: 0, last_error: null }
    const { page } = await scripted('&tools=', {
      'GET /v1/tools': lists(
        agentTool('add_note'),
        agentTool('find', { effect: 'read', approval: { ask: 'match' } }),
        agentTool('bash', { ...builtin, description: 'Runs a command. Call it when you must.' }),
      ),
      'GET /admin/mcp': lists(
        mcpServer({ name: 'calm', state: 'ok', ...calm }),
        mcpServer({ name: 'failing', state: 'failing', ...calm }),
        mcpServer(),
      ),
      'GET /admin/mcp/notes': async () => refusal(503, 'not_ready', 'Not now.'),
    })
    await tools(page).getByRole('heading', { name: 'failing failing' }).waitFor()
    await expect
      .poll(async () => tools(page).getByRole('heading').allInnerTexts())
      .toEqual([expect.stringMatching(/^failing/), expect.stringMatching(/^notes/), 'calm', 'Built in'])
    const marks = async () =>
      (await tools(page).locator('dt').allInnerTexts()).map((text) => text.split('\n'))
    await expect
      .poll(marks)
      .toEqual([['add_note', 'writes', 'needs approval'], ['find', 'may need approval'], ['bash']])
    // The rest is for the model.
    await tools(page).getByText('Runs a command.', { exact: true }).waitFor()
  })

  it('are explained with a sentence when the key has none', async () => {
    const { page } = await scripted('&tools=', { 'GET /v1/tools': lists() })
    await tools(page).getByText('With this key, the agent has no tools.').waitFor()
  })
})
