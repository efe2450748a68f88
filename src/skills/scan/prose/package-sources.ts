// Signs of commands and files that set another package registry. Whoever owns its address chooses the code
// that is installed.

/**
 * Hosts of languages, platforms and package managers, placeholders, and private hosts. These do not count.
 */
const KNOWN_HOSTS =
  '(?!(?:[\\w-]{1,40}\\.){0,4}(?:pypi\\.org|pythonhosted\\.org|npmjs\\.(?:org|com)|yarnpkg\\.com|rubygems\\.org|crates\\.io|golang\\.org|goproxy\\.io|goproxy\\.cn|github\\.com|githubusercontent\\.com|gitlab\\.com|bitbucket\\.org|pytorch\\.org|nvidia\\.com|anaconda\\.org|anaconda\\.com|conda-forge\\.org|prefix\\.dev|jsr\\.io|nuget\\.org|packagist\\.org|maven\\.org|apache\\.org|google\\.com|googleapis\\.com|pkg\\.dev|gcr\\.io|microsoft\\.com|visualstudio\\.com|azure\\.com|amazonaws\\.com|cloudfront\\.net|jfrog\\.io|artifactory\\.[\\w.-]{1,60}|nexus\\.[\\w.-]{1,60}|cloudsmith\\.io|gemfury\\.com|fury\\.io|buf\\.build|aliyun\\.com|tencent\\.com|tsinghua\\.edu\\.cn|npmmirror\\.com|huggingface\\.co|meta\\.com|intel\\.com|amd\\.com|example\\.(?:com|org|net)|your[\\w.-]{1,60}|my[\\w.-]{1,60}|localhost|127\\.0\\.0\\.1|[\\w.-]{1,60}\\.(?:local|internal|lan|corp))(?=[/:\\s"\'`)]|$))'
const OTHER_REGISTRY = `(?:git\\+|sparse\\+)?https?:\\/\\/(?:[^\\s/@]{1,60}@)?${KNOWN_HOSTS}(?=[\\w-]{1,60}\\.[\\w.-])`

export const OTHER_INDEX = new RegExp(
  `(?:--(?:extra-|default-)?index(?:-url)?|--find-links|(?:extra-|default-)?index[-_.]url|_INDEX(?:_URL)?|--registry|(?:\\b|_|:)registry)[ \\t=:"'\`]{1,5}${OTHER_REGISTRY}`,
  'i',
)
export const ADDS_SOURCE = new RegExp(
  [
    `\\b(?:npm|yarn|pnpm|bun)\\b[^\\n]{0,40}\\bconfig\\b[^\\n]{0,40}\\b(?:registry|npmRegistryServer)["'\\s=:]{1,4}${OTHER_REGISTRY}`,
    `(?:^|["'\\s])@[\\w-]{1,40}:registry["'\\s=:]{1,4}${OTHER_REGISTRY}`,
    `\\bgem\\s[^\\n]{0,60}(?:--source|-s|sources\\s(?:-a|--add))[ =]["']?${OTHER_REGISTRY}`,
    `\\bcargo\\s[^\\n]{0,60}--index[ =]["']?${OTHER_REGISTRY}`,
    `\\bGOPROXY[ =]["']?${OTHER_REGISTRY}`,
    `\\bbrew tap\\s[^\\n]{1,80}\\s["']?${OTHER_REGISTRY}`,
    `\\bconda\\s[^\\n]{0,80}(?:-c|--channel)[ =]["']?${OTHER_REGISTRY}`,
    `\\bnuget\\s(?:add\\s)?source[^\\n]{0,20}\\s["']?${OTHER_REGISTRY}`,
    `\\bcomposer\\s[^\\n]{0,40}repositories[^\\n]{0,40}\\s["']?${OTHER_REGISTRY}`,
    `--install-extension[ =]["']?${OTHER_REGISTRY}`,
  ].join('|'),
  'i',
)
