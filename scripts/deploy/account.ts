// The Cloudflare login and account. Never sees a token: wrangler stores it.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'

import type { AskLine } from '../lib/ask.ts'

export interface Account {
  readonly id: string
  /** Null: the login may not list accounts; the id was given. */
  readonly name: string | null
  readonly email: string | null
}

const Who = z.object({
  loggedIn: z.literal(true),
  email: z.string().nullish(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
})

const LOG_IN =
  'Log in first: npx wrangler login (on a machine without a browser: put an API token into CLOUDFLARE_API_TOKEN).'

/**
 * `given`: the account from wrangler.toml or CLOUDFLARE_ACCOUNT_ID; `hasToken`: CLOUDFLARE_API_TOKEN is the login;
 * `ask`: for a choice among several; null: no terminal. Fails with instructions.
 */
export async function findAccount(
  run: RunWrangler,
  { given, hasToken }: { readonly given: string | null; readonly hasToken: boolean },
  ask: AskLine | null,
  say: (line: string) => void,
): Promise<Result<Account, string>> {
  const who = await whoIsIt(run, hasToken)
  if (!who.ok) return who
  const { accounts } = who.value
  const email = who.value.email ?? null
  const named = accounts.find(({ id }) => id === given)
  if (given !== null) return ok({ id: given, name: named?.name ?? null, email })
  const [first, second] = accounts
  if (!first)
    return err('This login sees no account. Put the id of yours into CLOUDFLARE_ACCOUNT_ID and try again.')
  if (!second) return ok({ ...first, email })
  const list = accounts.map(({ id, name }, at) => `  ${at + 1}  ${name} (${id})`)
  if (!ask)
    return err(
      `This login has ${accounts.length} accounts. Put the id of one into CLOUDFLARE_ACCOUNT_ID:\n${list.join('\n')}`,
    )
  say(['Which account?', ...list].join('\n'))
  const answer = await ask(`A number from 1 to ${accounts.length}: `)
  const chosen = accounts[Number(answer) - 1]
  return chosen ? ok({ ...chosen, email }) : err('No account was chosen, so nothing was done.')
}

async function whoIsIt(run: RunWrangler, hasToken: boolean): Promise<Result<z.infer<typeof Who>, string>> {
  try {
    const out = await run(['whoami', '--json'])
    const who = Who.safeParse(JSON.parse(out.slice(out.indexOf('{'))))
    return who.success ? ok(who.data) : err(`wrangler whoami gave an unknown answer. ${LOG_IN}`)
  } catch (error) {
    if (!(error instanceof WranglerError)) throw error
    if (/"loggedIn": *false|not logged in|not authenticated/i.test(error.output))
      return err(`Nobody is logged in to Cloudflare. ${LOG_IN}`)
    const source = hasToken
      ? 'Cloudflare does not accept the token in CLOUDFLARE_API_TOKEN: make a new one from the template "Edit Cloudflare Workers" ' +
        'at https://dash.cloudflare.com/profile/api-tokens, or unset it and run npx wrangler login.'
      : `Cloudflare does not accept this login. ${LOG_IN}`
    return err(`${source}\n${error.message}`)
  }
}
