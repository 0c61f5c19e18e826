import { element } from './element.ts'

/** In the storage of this tab: the token is gone when the tab is closed. */
const KEY = 'driveaway-token'

export const storedToken = (): string | null => sessionStorage.getItem(KEY)

/** Why a text can be no access token, or undefined; a browser refuses to send what a header cannot have. */
export const faultOfToken = (token: string): string | undefined =>
  /^[!-~]+$/.test(token)
    ? undefined
    : 'The access token has a space, a quotation mark of a text program, or another character that no token has. Copy it again, and enter it.'

/** Asks for an access token in place of the view, says why, and resolves when a token was entered. */
export function askForToken(view: HTMLElement, why: string): Promise<void> {
  return new Promise((entered) => {
    view.replaceChildren(
      tokenForm({ heading: 'This page needs an access token', why, does: 'Show the rates' }, entered),
    )
    view.querySelector('input')!.focus()
  })
}

/**
 * Says above the view that the token is not accepted any more and what to do; the view and all that is chosen stay. Once
 * said, the message stays until a token was entered: somebody may be typing.
 */
export function askForAnotherToken(place: HTMLElement, why: string, entered: () => void): void {
  if (place.childElementCount > 0) return
  const now = new Date().toLocaleTimeString('en-AU', { timeStyle: 'short' })
  const said = `${why} The page shows the rates of before ${now}, and what you chose stays. Get another token, and enter it here.`
  const heading = 'Your access token is not accepted any more'
  const form = tokenForm({ heading, why: said, does: 'Go on' }, () => {
    place.replaceChildren()
    entered()
  })
  place.replaceChildren(form)
}

interface Asked {
  heading: string
  why: string
  /** The text of the button. */
  does: string
}

function tokenForm({ heading, why, does }: Asked, entered: () => void): HTMLFormElement {
  const input = element('input', { type: 'password', name: 'token', required: true, autocomplete: 'off' })
  const form = element(
    'form',
    { 'aria-label': 'Access token' },
    element('h2', {}, heading),
    element('p', { role: 'alert' }, why),
    element('label', {}, 'Access token of a client of the pricing API', input),
    element('button', {}, does),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sessionStorage.setItem(KEY, input.value.trim())
    entered()
  })
  return form
}
