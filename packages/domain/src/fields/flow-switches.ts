/** Settings of a client that each ask its subjects for something, or not. */
export const FLOW_SWITCHES = ['placeOfBirth', 'proofOfAddress'] as const;
/** A setting of a client that asks its subjects for something, or not. */
export type FlowSwitch = (typeof FLOW_SWITCHES)[number];
