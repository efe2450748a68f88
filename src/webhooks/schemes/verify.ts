// Verifies a delivery by the scheme of its hook. Only the operator learns why a delivery is refused.

import { fail } from '../../lib/result.ts'
import { verifyCustom } from './custom.ts'
import { verifyMac } from './mac.ts'
import type { SchemeName, Verify } from './scheme.ts'
import { SENDERS } from './senders.ts'
import { verifyBasic, verifyBearer, verifyGitlab } from './shared-secret.ts'
import { verifyStandard } from './standard.ts'

/** The same response for every reason, so that the sender learns nothing. */
export const NOT_VERIFIED = fail('unauthenticated', 'The delivery could not be verified.')

const of =
  (sender: keyof typeof SENDERS): Verify =>
  async (secrets, delivery) =>
    verifyMac(SENDERS[sender], secrets, delivery)

export const SCHEMES: Readonly<Record<SchemeName, Verify>> = {
  standard: verifyStandard,
  github: of('github'),
  gitlab: verifyGitlab,
  slack: of('slack'),
  stripe: of('stripe'),
  linear: of('linear'),
  pagerduty: of('pagerduty'),
  hmac: verifyCustom,
  bearer: verifyBearer,
  basic: verifyBasic,
}
