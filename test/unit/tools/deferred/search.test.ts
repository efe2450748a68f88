// Guards how deferred tools are found: by each form of a query, only those that are permitted, in bounded time, and which
// tools are deferred at all.

import { describe, expect, it } from 'vitest'
import { ok } from '../../../../src/lib/result.ts'
import type { DeferredCatalog, OfferedTool, SearchedTool } from '../../../../src/tools/record/offered.ts'
import { showDefinitions } from '../../../../src/tools/deferred/definition-text.ts'
import { DEFINITIONS_MAX_CHARS, SOURCES_LISTED_MAX_BYTES } from '../../../../src/tools/deferred/limits.ts'
import { search } from '../../../../src/tools/deferred/run-search.ts'
import { nearNames, searchTools } from '../../../../src/tools/deferred/search.ts'
import { sourcesText, splitTools } from '../../../../src/tools/deferred/split.ts'

type DefinedTool = OfferedTool & SearchedTool

function tool(name: string, description = name, own: Partial<OfferedTool> = {}): DefinedTool {
  const spec = { name, description, input_schema: { type: 'object' } } as const
  const row = {
    name,
    spec,
    source: own.origin ? 'mcp' : 'http',
    effect: 'read',
    approval: { ask: 'never' },
    digest: name,
  } as const
  return { row, text: spec, group: null, label: null, includedIf: () => true, ...own }
}

const at = (server: string, name: string, description: string): DefinedTool =>
  tool(`mcp_${server}_${name}`, description, { origin: { server, tool: name } })

const TOOLS = [
  at('crm', 'createContact', 'Adds a person to the address book.'),
  at('crm', 'deleteContact', 'Removes a person.'),
  at('crm', 'list_deals', 'Lists open deals by stage.'),
  at('wiki', 'create_page', 'Writes a page.'),
  tool('refund_payment', 'Gives money back for an order.', { group: 'shop' }),
  tool('secret_tool', 'Creates a contact in secret.'),
  ...Array.from({ length: 30 }, (_, index) =>
    tool(`report_${index}`, `Report number ${index} of the month.`),
  ),
]
const catalogOf = (
  tools: readonly DefinedTool[],
  permits: DeferredCatalog['permits'] = () => true,
): DeferredCatalog => ({
  tools,
  permits,
  define: async (found) => ok(tools.filter((each) => found.includes(each))),
})
const CATALOG = catalogOf(TOOLS, ({ row }) => row.name !== 'secret_tool')
const names = (query: string): readonly string[] =>
  searchTools(CATALOG, query).tools.map(({ row }) => row.name)

describe('a search', () => {
  it.each([
    ['select:mcp_wiki_create_page,refund_payment', ['mcp_wiki_create_page', 'refund_payment']],
    ['select: wiki:create_page, mcp__crm__list_deals', ['mcp_wiki_create_page', 'mcp_crm_list_deals']],
    ['select:wiki__create_page,MCP__Crm__List_Deals', ['mcp_wiki_create_page', 'mcp_crm_list_deals']],
    ['select:REFUND_payment,Wiki:Create.Page', ['refund_payment', 'mcp_wiki_create_page']],
    ['select:mcp__crm', []],
    ['+crm remove', ['mcp_crm_deleteContact', 'mcp_crm_createContact', 'mcp_crm_list_deals']],
    ['+crm', ['mcp_crm_createContact', 'mcp_crm_deleteContact', 'mcp_crm_list_deals']],
    ['^mcp_.*contact$', ['mcp_crm_createContact', 'mcp_crm_deleteContact']],
    ['/money|page/i', ['mcp_wiki_create_page', 'refund_payment']],
    ['reimburse a purchase', ['refund_payment']],
    ['add someone to the contacts (CRM)', expect.arrayContaining(['mcp_crm_createContact'])],
    ['secret', []],
    ['select:secret_tool', []],
    ['', []],
    ['+', []],
  ])('for %j finds the matching tools', (query, found) => {
    expect(names(query)).toEqual(found)
  })

  it('returns the best five, or twenty by name, and says what is missing', () => {
    expect(names('report of the month')).toHaveLength(5)
    const many = TOOLS.filter(({ row }) => row.name.startsWith('report_')).map(({ row }) => row.name)
    const { tools, missing, more } = searchTools(CATALOG, `select:unknown,${many.join(',')}`)
    expect([tools.length, missing, more]).toEqual([19, ['unknown'], 11])
  })

  it('names the twenty next matches, without their definitions', async () => {
    const { others } = searchTools(CATALOG, 'report of the month')
    expect(others).toHaveLength(20)
    const { content, frame, reveals } = await search(CATALOG, 'report of the month')
    const [first] = others
    expect(frame?.after).toContain(`If none of these fits, select others by name: ${first?.row.name}, `)
    expect(content).not.toContain(`${first?.row.name}"`)
    expect(reveals).toHaveLength(5)
  })

  it('treats a pattern that is invalid, too long or too slow as words, and never takes long', () => {
    for (const query of ['refund (payment', `refund ${'(a|aa)+'.repeat(60)}`, '[[', '*refund*'])
      expect(names(query), query).toEqual(query === '[[' ? [] : ['refund_payment'])
    const long = tool('long', `${'a'.repeat(100_000)}!`)
    const { tools } = searchTools(catalogOf([long, ...TOOLS]), '(a+)+(b+)+$|^(a|a?)+c')
    expect(tools.length).toBeLessThanOrEqual(5)
  })

  it('ignores values, treats users as a word, and tolerates a mistyped word that no tool has', () => {
    const tools = catalogOf([
      at('chat', 'look_up', 'Finds someone by their email address.'),
      at('chat', 'list_channels', 'Lists channels.'),
      at('okta', 'list_group_users', 'Lists who is in a group.'),
      at('okta', 'list_groups', 'Lists the groups.'),
      at('shop', 'create_invoice', 'Bills an order.'),
    ])
    const first = (query: string): string | undefined => searchTools(tools, query).tools[0]?.row.name
    expect(first('who is anna@example.com')).toBe('mcp_chat_look_up')
    expect(first('is #incidents there')).toBe('mcp_chat_list_channels')
    expect(first('users of a group')).toBe('mcp_okta_list_group_users')
    for (const word of ['invocie', 'invoic', 'invoicing', 'invoices', 'imvoice'])
      expect(first(word), word).toBe('mcp_shop_create_invoice')
  })

  it.each([
    ['merge the PR', 'mcp_git_merge_pull_request'],
    ['cancelled labour contracts', 'mcp_hr_cancel_labor_contract'],
    ['who is on call', 'mcp_pager_list_oncalls'],
    ['get rid of the repo', 'mcp_git_delete_repository'],
    ['sign the person out', 'mcp_okta_clear_sessions'],
    ['the freebusy of my coworkers', 'mcp_calendar_find_free_busy'],
    ['invitations', 'mcp_calendar_invite_people'],
  ])('knows short forms, spellings, phrases and compounds: %j', (query, name) => {
    const tools = catalogOf([
      at('git', 'merge_pull_request', 'Merges.'),
      at('git', 'delete_repository', 'Deletes.'),
      at('git', 'list_branches', 'Lists the branches.'),
      at('hr', 'cancel_labor_contract', 'Ends a contract.'),
      at('pager', 'list_oncalls', 'Shows persons by schedule.'),
      at('pager', 'create_call', 'Starts a call on a phone.'),
      at('okta', 'clear_sessions', 'Makes someone log in again.'),
      at('okta', 'create_person', 'Creates a person.'),
      at('calendar', 'find_free_busy', 'Finds when users have time.'),
      at('calendar', 'invite_people', 'Adds people to an event.'),
    ])
    expect(searchTools(tools, query).tools[0]?.row.name).toBe(name)
  })

  it('prefers tools that read for questions, tools that change for requests, and names that the query says whole', () => {
    const tools = catalogOf([
      at('desk', 'unlock_ticket', 'A ticket of the desk.'),
      at('desk', 'get_ticket', 'A ticket of the desk.'),
      at('desk', 'update_ticket', 'A ticket of the desk.'),
      at('desk', 'get_ticket_satisfaction_rating', 'A ticket of the desk.'),
    ])
    const first = (query: string): string | undefined => searchTools(tools, query).tools[0]?.origin?.tool
    expect(first('what does the ticket say')).toBe('get_ticket')
    expect(first('please can you set the ticket to solved')).toBe('update_ticket')
  })

  it('prefers tools of the source that has more of the words', () => {
    const tools = catalogOf([
      at('wiki', 'list_versions', 'Lists versions.'),
      at('storage', 'list_versions', 'Lists versions.'),
      at('storage', 'delete_bucket', 'Deletes a bucket.'),
    ])
    expect(searchTools(tools, 'versions in the bucket').tools.map(({ row }) => row.name)).toEqual([
      'mcp_storage_delete_bucket',
      'mcp_storage_list_versions',
      'mcp_wiki_list_versions',
    ])
  })

  it('names similar permitted tools for one that does not exist', () => {
    expect(nearNames(CATALOG, 'refund_paymnt')[0]).toBe('refund_payment')
    expect(nearNames(CATALOG, 'crm_delete_contact')).toContain('mcp_crm_deleteContact')
    expect(nearNames(CATALOG, 'secret_tol')).not.toContain('secret_tool')
  })
})

describe('definitions', () => {
  it('are shown whole as long as they fit; a huge one without the texts in its schema', () => {
    const field = (text: string): object => ({ type: 'string', description: text })
    const rowOf = (name: string, text: string): OfferedTool['row'] => {
      const input_schema = { type: 'object', properties: { description: field(text) } } as const
      return { ...tool(name).row, spec: { name, description: 'x', input_schema } }
    }
    const { text, shown, left } = showDefinitions([
      rowOf('a', 'y'.repeat(DEFINITIONS_MAX_CHARS)),
      rowOf('b', 'z'.repeat(DEFINITIONS_MAX_CHARS / 2)),
      rowOf('c', 'z'.repeat(DEFINITIONS_MAX_CHARS / 2)),
    ])
    expect(shown.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(left.map(({ name }) => name)).toEqual(['c'])
    expect(text.length).toBeLessThanOrEqual(DEFINITIONS_MAX_CHARS)
    expect(text.split('\n')[0]).toContain('"properties":{"description":{"type":"string"}}')
  })

  it('are shown with the upper levels of a schema that is too long without its texts, too', () => {
    const inner = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, nth) => [`f${nth}`, { type: 'string' }]),
    )
    const properties = { filter: { type: 'object', properties: inner }, id: { type: 'string' } }
    const input_schema = { type: 'object', properties, required: ['id'] } as const
    const row = { ...tool('a').row, spec: { name: 'a', description: 'x', input_schema } }
    const { text, shown } = showDefinitions([row])
    expect(shown).toEqual([row])
    expect(JSON.parse(text)).toMatchObject({
      input_schema: {
        type: 'object',
        properties: { filter: { type: 'object' }, id: { type: 'string' } },
        required: ['id'],
      },
    })
    const wide = {
      ...row,
      spec: { ...row.spec, input_schema: { type: 'object', properties: inner } as const },
    }
    expect(showDefinitions([wide]).left).toEqual([wide])
  })
})

describe('tools', () => {
  const many = (count: number): readonly OfferedTool[] =>
    Array.from({ length: count }, (_, n) => tool(`t${n}`))
  const split = (
    own: readonly OfferedTool[],
    key?: Parameters<typeof splitTools>[2],
  ): readonly [number, number] => {
    const builtin = tool('ls')
    const { listed, deferred } = splitTools([builtin, ...own], (each) => each !== builtin, key)
    return [listed.length, deferred.length]
  }

  it('are deferred beyond twenty, or beyond 4,000 tokens', () => {
    expect(split(many(20))).toEqual([21, 0])
    expect(split(many(21))).toEqual([1, 21])
    expect(split([tool('a', 'x'.repeat(15_000))])).toEqual([2, 0])
    expect(split([tool('a', 'x'.repeat(17_000))])).toEqual([1, 1])
    expect(split(many(25), { allow: null, deny: ['t1', 't2', 't3', 't4', 't5'] })).toEqual([21, 0])
    expect(split(many(25), { allow: ['t1'], deny: [] })).toEqual([2, 0])
  })

  it('have their servers and groups named in the prompt, in at most two kilobytes', () => {
    expect(sourcesText(TOOLS.slice(0, 6))).toBe(
      '- the server crm\n- the server wiki\n- the group shop\n- secret_tool',
    )
    const text = sourcesText(many(2_000).map((each, n) => ({ ...each, group: `a group <${n}>\n` })))
    expect(text.length).toBeLessThanOrEqual(SOURCES_LISTED_MAX_BYTES)
    expect(text).toMatch(/^- the group a group &lt;0&gt;\n(?:.*\n)*- and others$/)
  })
})
