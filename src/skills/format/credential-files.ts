// Files that hold credentials by their name. A skill is read by many, so no way in takes one; what is in it is not read.

/** A refusal by name, as a finding says it. */
interface CredentialFile {
  /** The same rules by which the static scan names them. */
  readonly rule: 'package-hidden-sensitive-file' | 'package-git-directory'
  /** The file, or for a repository its `.git` alone: one refusal, not thousands. */
  readonly path: string
  readonly message: string
  readonly fix: string
}

const REPOSITORY = /^(?:.*?\/)?\.git(?=\/|$)/i
const CREDENTIALS =
  /(?:^|\/)(?:\.env(?:\.[^/]+)?|\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.aws\/credentials|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/i
const SAMPLE = /\.(?:example|sample|template|dist)(?:\.[a-z]{1,8})?$/i

/** What is wrong with a file of this path (with `/`, from the skill's root), or null. Letter case does not count. */
export function credentialFile(path: string): CredentialFile | null {
  const repository = REPOSITORY.exec(path)?.[0]
  if (repository !== undefined)
    return {
      rule: 'package-git-directory',
      path: repository,
      message: 'A Git repository carries its whole history and often credentials.',
      fix: 'Leave .git out; `git archive --format=zip HEAD` packs the files alone.',
    }
  if (!CREDENTIALS.test(path) || SAMPLE.test(path)) return null
  return {
    rule: 'package-hidden-sensitive-file',
    path,
    message: 'Files of this name hold credentials and are packed by accident.',
    fix: 'Leave it out; ship a sample without values, such as .env.example.',
  }
}
