// A click on a choice of a question writes it into the message. It is not sent: the person may add to it.

/**
 * @param {HTMLElement} log
 * @param {HTMLTextAreaElement} message
 * @param {() => void} fit the message has changed
 */
export function takeChoices(log, message, fit) {
  log.addEventListener('click', ({ target }) => {
    const choice = target instanceof Element ? target.closest('[data-answer]') : null
    if (!choice) return
    message.value = choice.getAttribute('data-answer') ?? ''
    fit()
    message.focus()
  })
}
