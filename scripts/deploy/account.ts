// Finds out who is logged in to Cloudflare and which account to use. Reads no token, because wrangler stores it.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'

import type { AskLine } from '../lib/ask.ts'

export interface Account {
  readonly id: string
  /** Null if the login may not list accounts, so that only the given ID is known. */
  readonly name: string | null
  readonly email: string | null
}

const Login = z.object({
  loggedIn: z.literal(true),
  email: z.string().nullish(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
})

const LOG_IN =
  'Log in first with npx wrangler login. On a machine without a browser, set CLOUDFLARE_API_TOKEN to an API token instead.'

/**
 * The account to deploy to. `accountId` is the ID from wrangler.toml or CLOUDFLARE_ACCOUNT_ID. If the login has
 * several accounts, asks which one to use; `ask` is null without a terminal. Fails with instructions.
 */
export async function findAccount(
  run: RunWrangler,
  { accountId, hasToken }: { readonly accountId: string | null; readonly hasToken: boolean },
  ask: AskLine | null,
  say: (line: string) => void,
): Promise<Result<Account, string>> {
  const login = await readLogin(run, hasToken)
  if (!login.ok) return login
  const { accounts } = login.value
  const email = login.value.email ?? null
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

async function readLogin(
  run: RunWrangler,
  hasToken: boolean,
): Promise<Result<z.infer<typeof Login>, string>> {
  try {
    const out = await run(['whoami', '--json'])
    const login = Login.safeParse(JSON.parse(out.slice(out.indexOf('{'))))
    return login.success ? ok(login.data) : err(`The output of wrangler whoami could not be read. ${LOG_IN}`)
  } catch (error) {
    if (!(error instanceof WranglerError)) throw error
    if (/"loggedIn": *false|not logged in|not authenticated/i.test(error.output))
      return err(`You are not logged in to Cloudflare. ${LOG_IN}`)
    const source = hasToken
      ? 'Cloudflare does not accept the token in CLOUDFLARE_API_TOKEN. Create a new one from the template "Edit Cloudflare Workers" ' +
        'at https://dash.cloudflare.com/profile/api-tokens, or unset the variable and run npx wrangler login.'
      : `Cloudflare does not accept this login. ${LOG_IN}`
    return err(`${source}\n${error.message}`)
  }
}
