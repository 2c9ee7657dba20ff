/** Files and folders by suite. */
export const quickFiles: Readonly<Record<string, readonly string[]>>;
