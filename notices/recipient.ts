/** Who receives notices, and about which rate sets. */
export interface Recipient {
  /** Name of the ShowroomClient. */
  client: string
  /** uid of the ShowroomClient: a later client of the same name has another. */
  uid?: string
  displayName?: string
  /** Addresses. */
  to: readonly string[]
  /** Only these and their imports; when absent, all published rate sets. */
  pricingCodes?: readonly string[]
}

/** The notice settings of a ShowroomClient. */
export interface NoticesWanted {
  displayName?: string
  suspended?: boolean
  contacts?: readonly { email: string; notices: boolean }[]
  notices?: { pricingCodes?: readonly string[] }
}

/** The recipient of a client; undefined when the client wants no notices or is suspended. */
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
