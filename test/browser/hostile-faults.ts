// Looks for what hostile text could have become: scripts, frames, handlers, and URLs outside the page.

import type { Page } from 'playwright-core'

import { until } from '../../scripts/lab/rig/until.ts'

/** Faults of the document, whatever their source. */
export async function wrongs(page: Page): Promise<readonly string[]> {
  // A step is rendered when it is opened, and contains further details.
  await until('all steps are open', async () =>
    page.evaluate(() => {
      const closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')]
      for (const details of closed) details.open = true
      const steps = [...document.querySelectorAll('details.step')]
      const areShown = steps.every((step) => step.childElementCount > 1 && !step.querySelector('.skeleton'))
      return closed.length === 0 && areShown
    }),
  )
  // Elements that are drawn late: code colours, pictures.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  return page.evaluate(() => {
    const wrong: string[] = []
    for (const element of document.querySelectorAll('*')) {
      const tag = element.localName
      // The page's own frame for HTML files; html-preview.test.ts inspects it.
      const isOwnFrame =
        element.getAttribute('src') === '/preview' && element.getAttribute('sandbox') === 'allow-scripts'
      if (tag === 'iframe' && !isOwnFrame) wrong.push(tag)
      if (['object', 'embed', 'base', 'style', 'template'].includes(tag)) wrong.push(tag)
      if (tag === 'math' && !element.parentElement?.matches('.formula')) wrong.push(tag)
      if (tag === 'script' && element.textContent !== '') wrong.push('a script with words')
      if (tag === 'meta' && element.hasAttribute('http-equiv')) wrong.push('meta http-equiv')
      for (const { name, value } of element.attributes) {
        if (/^on|^srcdoc$|^formaction$|^ping$/.test(name)) wrong.push(`${tag}[${name}=${value}]`)
        // The page's own styles: sizes and positions, in numbers.
        if (name === 'style' && !/^(?:[a-z-]+: (?!url)[-\d.a-zA-Z%() ]+; ?)*$/.test(value))
          wrong.push(`${tag}[style=${value}]`)
        if (!['href', 'src', 'action', 'srcset', 'data', 'poster', 'xlink:href'].includes(name)) continue
        const url = new URL(value, location.href)
        const isLink = tag === 'a' && name === 'href' && ['http:', 'https:', 'mailto:'].includes(url.protocol)
        const isOwn = url.origin === location.origin && url.protocol !== 'javascript:'
        if (!isLink && !isOwn && url.protocol !== 'blob:') wrong.push(`${tag}[${name}=${value}]`)
        if (isLink && !isOwn && element.getAttribute('rel') !== 'noopener noreferrer')
          wrong.push(`a link without rel: ${value}`)
      }
    }
    if ('pwned' in globalThis) wrong.push('a script ran')
    return wrong
  })
}
