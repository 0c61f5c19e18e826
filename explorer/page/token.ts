import { element } from './element.ts'

/** In the storage of this tab: the token is gone when the tab is closed. */
const KEY = 'driveaway-token'

export const storedToken = (): string | null => sessionStorage.getItem(KEY)

/** Asks for an access token in place of the view, says why, and resolves when a token was entered. */
export function askForToken(view: HTMLElement, why: string): Promise<void> {
  const input = element('input', { type: 'password', name: 'token', required: true, autocomplete: 'off' })
  const form = element(
    'form',
    { 'aria-label': 'Access token' },
    element('h2', {}, 'This page needs an access token'),
    element('p', { role: 'alert' }, why),
    element('label', {}, 'Access token of a client of the pricing API', input),
    element('button', {}, 'Show the rates'),
  )
  view.replaceChildren(form)
  input.focus()
  return new Promise((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      sessionStorage.setItem(KEY, input.value.trim())
      resolve()
    })
  })
}
