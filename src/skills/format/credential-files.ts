// Recognizes files that usually contain credentials by their names alone. Every import refuses them, because many
// people can read a skill.

/** Why a path is refused, in the form of a finding. */
interface CredentialFile {
  /** The rules under which the static scan reports such files. */
  readonly rule: 'package-hidden-sensitive-file' | 'package-git-directory'
  /** The file, or the `.git` folder of a repository, so that there is one refusal instead of thousands. */
  readonly path: string
  readonly message: string
  readonly fix: string
}

const REPOSITORY = /^(?:.*?\/)?\.git(?=\/|$)/i
const CREDENTIALS =
  /(?:^|\/)(?:\.env(?:\.[^/]+)?|\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.aws\/credentials|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/i
const SAMPLE = /\.(?:example|sample|template|dist)(?:\.[a-z]{1,8})?$/i

/** Why this path, relative to the skill's root, is refused; null if it is accepted. Ignores letter case. */
export function credentialFile(path: string): CredentialFile | null {
  const repository = REPOSITORY.exec(path)?.[0]
  if (repository !== undefined)
    return {
      rule: 'package-git-directory',
      path: repository,
      message: 'A Git repository contains its complete history, and often credentials.',
      fix: 'Leave .git out; `git archive --format=zip HEAD` packs only the files.',
    }
  if (!CREDENTIALS.test(path) || SAMPLE.test(path)) return null
  return {
    rule: 'package-hidden-sensitive-file',
    path,
    message: 'Files with this name usually contain credentials and are packed by accident.',
    fix: 'Leave it out; if users need a template, add one without values, such as .env.example.',
  }
}
