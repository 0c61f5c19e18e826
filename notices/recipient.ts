/** Whom to tell, and of which rate sets. */
export interface Recipient {
  /** Name of the ShowroomClient. */
  client: string
  /** Of the ShowroomClient: a client of the same name that is made later is another. */
  uid?: string
  displayName?: string
  /** Addresses. */
  to: readonly string[]
  /** Only of these, and of what they import; absent: of all that is published. */
  pricingCodes?: readonly string[]
}

/** What a ShowroomClient says of its notices. */
export interface NoticesWanted {
  displayName?: string
  suspended?: boolean
  contacts?: readonly { email: string; notices: boolean }[]
  notices?: { pricingCodes?: readonly string[] }
}

/** Whom to tell of a client; undefined where nobody wants to be told, and where the client is suspended. */
export function recipientOf(client: string, subscription: NoticesWanted): Recipient | undefined {
  const { displayName, suspended, contacts, notices } = subscription
  const to = (contacts ?? []).filter((contact) => contact.notices).map(({ email }) => email)
  if (suspended === true || to.length === 0) return undefined
  const pricingCodes = notices?.pricingCodes
  return {
    client,
    to: [...new Set(to)],
    ...(displayName !== undefined && { displayName }),
    ...(pricingCodes && { pricingCodes }),
  }
}
