// Finds out who is logged in to Cloudflare and which account to use. wrangler keeps the login and renews it.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { cloudflareApi, CloudflareError } from '../lib/cloudflare.ts'
import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'

import type { AskLine } from '../lib/ask.ts'
import type { Cloudflare, CloudflarePorts, Credentials } from '../lib/cloudflare.ts'

/** The API, and the paths below it of the account and of the Worker. */
export interface Remote {
  readonly api: Cloudflare
  readonly account: string
  readonly worker: string
}

export function remoteOf(api: Cloudflare, accountId: string, worker: string): Remote {
  const account = `/accounts/${accountId}`
  return { api, account, worker: `${account}/workers/scripts/${worker}` }
}

export interface Account {
  readonly id: string
  /** Null if the login may not list accounts, so that only the given ID is known. */
  readonly name: string | null
  readonly email: string | null
}

/** What `wrangler auth token --json` prints. */
const Token = z.union([
  z.object({ type: z.enum(['api_token', 'oauth']), token: z.string() }),
  z.object({ type: z.literal('api_key'), key: z.string(), email: z.string() }),
])
const Accounts = z.array(z.object({ id: z.string(), name: z.string() }))
const Memberships = z.array(z.object({ account: z.object({ id: z.string() }) }))
const User = z.object({ email: z.string().nullish() })

const LOG_IN =
  'Log in first with npx wrangler login. On a machine without a browser, set CLOUDFLARE_API_TOKEN to an API token instead.'

/** Cloudflare's API with the login that wrangler has. Fails with instructions. */
export async function logIn(run: RunWrangler, ports: CloudflarePorts): Promise<Result<Cloudflare, string>> {
  try {
    const out = await run(['auth', 'token', '--json'])
    return ok(cloudflareApi(credentialsOf(out), ports))
  } catch (error) {
    if (error instanceof WranglerError && /not logged in/i.test(error.output))
      return err(`You are not logged in to Cloudflare. ${LOG_IN}`)
    throw error
  }
}

function credentialsOf(out: string): Credentials {
  const token = Token.safeParse(jsonIn(out))
  if (!token.success) throw new Error(`The output of wrangler auth token could not be read. ${LOG_IN}`)
  return token.data.type === 'api_key'
    ? { 'X-Auth-Key': token.data.key, 'X-Auth-Email': token.data.email }
    : { Authorization: `Bearer ${token.data.token}` }
}

/** The object in wrangler's output, around which wrangler may print notices. No error quotes it, because it contains a token. */
function jsonIn(out: string): unknown {
  try {
    return JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1))
  } catch {
    return null
  }
}

/**
 * The account to deploy to. `accountId` is the ID from wrangler.toml or CLOUDFLARE_ACCOUNT_ID. If the login has
 * several accounts, asks which one to use; `ask` is null without a terminal. Fails with instructions.
 */
export async function findAccount(
  api: Cloudflare,
  { accountId, hasToken }: { readonly accountId: string | null; readonly hasToken: boolean },
  ask: AskLine | null,
  say: (line: string) => void,
): Promise<Result<Account, string>> {
  const login = await readLogin(api, hasToken)
  if (!login.ok) return login
  const { accounts, email } = login.value
  const knownAccount = accounts.find(({ id }) => id === accountId)
  if (accountId !== null) return ok({ id: accountId, name: knownAccount?.name ?? null, email })
  const [first, second] = accounts
  if (!first)
    return err(
      'This login cannot list accounts. Set CLOUDFLARE_ACCOUNT_ID to the ID of your account, then try again.',
    )
  if (!second) return ok({ ...first, email })
  const list = accounts.map(({ id, name }, index) => `  ${index + 1}  ${name} (${id})`)
  if (!ask)
    return err(
      `This login has ${accounts.length} accounts. Set CLOUDFLARE_ACCOUNT_ID to the ID of one of them:\n${list.join('\n')}`,
    )
  say(['Which account do you want to use?', ...list].join('\n'))
  const answer = await ask(`Enter a number from 1 to ${accounts.length}: `)
  const chosen = accounts[Number(answer) - 1]
  return chosen ? ok({ ...chosen, email }) : err('No account was chosen, so nothing was changed.')
}

interface Login {
  readonly email: string | null
  readonly accounts: z.infer<typeof Accounts>
}

async function readLogin(api: Cloudflare, hasToken: boolean): Promise<Result<Login, string>> {
  try {
    const [accounts, memberships, user] = await Promise.all([
      api.list(Accounts, 'GET /accounts'),
      unlessRefused(api.list(Memberships, 'GET /memberships')),
      unlessRefused(api.result(User, 'GET /user')),
    ])
    const usable = memberships && new Set(memberships.map(({ account }) => account.id))
    return ok({ email: user?.email ?? null, accounts: accounts.filter(({ id }) => usable?.has(id) ?? true) })
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.status === 0) throw error
    const source = hasToken
      ? 'Cloudflare does not accept the token in CLOUDFLARE_API_TOKEN. Create a new one from the template "Edit Cloudflare Workers" ' +
        'at https://dash.cloudflare.com/profile/api-tokens, or unset the variable and run npx wrangler login.'
      : `Cloudflare does not accept this login. ${LOG_IN}`
    return err(`${source}\n${error.message}`)
  }
}

/**
 * Returns null if the request is refused. A token for one account may not be allowed to read its user and memberships.
 */
async function unlessRefused<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof CloudflareError && error.status >= 400 && error.status < 500) return null
    throw error
  }
}
