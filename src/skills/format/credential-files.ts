// Recognizes files that hold credentials by their name. Many people read a skill, so every import refuses them. Their
// content is not read.

/** A refusal by name, in the form of a finding. */
interface CredentialFile {
  /** The rules of the static scan for such files. */
  readonly rule: 'package-hidden-sensitive-file' | 'package-git-directory'
  /** The file, or for a repository only its `.git`: one refusal instead of thousands. */
  readonly path: string
  readonly message: string
  readonly fix: string
}

const REPOSITORY = /^(?:.*?\/)?\.git(?=\/|$)/i
const CREDENTIALS =
  /(?:^|\/)(?:\.env(?:\.[^/]+)?|\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.aws\/credentials|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/i
const SAMPLE = /\.(?:example|sample|template|dist)(?:\.[a-z]{1,8})?$/i

/** The refusal for this path (with `/`, from the skill's root), or null. Ignores letter case. */
export function credentialFile(path: string): CredentialFile | null {
  const repository = REPOSITORY.exec(path)?.[0]
  if (repository !== undefined)
    return {
      rule: 'package-git-directory',
      path: repository,
      message: 'A Git repository carries its whole history and often credentials.',
      fix: 'Leave .git out; `git archive --format=zip HEAD` packs only the files.',
    }
  if (!CREDENTIALS.test(path) || SAMPLE.test(path)) return null
  return {
    rule: 'package-hidden-sensitive-file',
    path,
    message: 'Files of this name hold credentials and are packed by accident.',
    fix: 'Leave it out; ship a sample without values, such as .env.example.',
  }
}
