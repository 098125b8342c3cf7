/** The last messages that the panel lists; all of them are an export away. */
export const shownMessages = 5;
