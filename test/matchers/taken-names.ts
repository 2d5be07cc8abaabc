/**
 * Names of matchers that people have registered beside ours: `expect.extend` overwrites silently, whoever comes last wins.
 * Read off the packages: vitest 4.1.12, jest-extended 7.0.0, @testing-library/jest-dom 6.9.1, @langchain/core 1.4.0.
 */
export const TAKEN: Record<string, readonly string[]> = {
  Vitest: `
    toBe toBeCalled toBeCalledTimes toBeCalledWith toBeCloseTo toBeDefined toBeFalsy toBeGreaterThan
    toBeGreaterThanOrEqual toBeInstanceOf toBeLessThan toBeLessThanOrEqual toBeNaN toBeNull toBeNullable toBeOneOf
    toBeTruthy toBeTypeOf toBeUndefined toContain toContainEqual toEqual toHaveBeenCalled toHaveBeenCalledAfter
    toHaveBeenCalledBefore toHaveBeenCalledExactlyOnceWith toHaveBeenCalledOnce toHaveBeenCalledTimes
    toHaveBeenCalledWith toHaveBeenLastCalledWith toHaveBeenNthCalledWith toHaveLastResolvedWith
    toHaveLastReturnedWith toHaveLength toHaveNthResolvedWith toHaveNthReturnedWith toHaveProperty toHaveResolved
    toHaveResolvedTimes toHaveResolvedWith toHaveReturned toHaveReturnedTimes toHaveReturnedWith toMatch
    toMatchFileSnapshot toMatchInlineSnapshot toMatchObject toMatchSnapshot toReturn toReturnTimes toReturnWith
    toSatisfy toStrictEqual toThrow toThrowError toThrowErrorMatchingInlineSnapshot toThrowErrorMatchingSnapshot
    toBeInViewport toMatchScreenshot toMatchAriaSnapshot toMatchAriaInlineSnapshot
  `
    .trim()
    .split(/\s+/),
  "jest-extended": `
    toBeAfter toBeAfterOrEqualTo toBeArray toBeArrayOfSize toBeBefore toBeBeforeOrEqualTo toBeBetween toBeBigInt
    toBeBoolean toBeDate toBeDateString toBeEmpty toBeEmptyObject toBeEven toBeExtensible toBeFalse toBeFinite
    toBeFrozen toBeFunction toBeHexadecimal toBeInRange toBeInteger toBeNegative toBeNil toBeNumber toBeObject
    toBeOdd toBePositive toBeSealed toBeString toBeSymbol toBeTrue toBeValidDate toBeWithin toChange toChangeBy
    toChangeTo toContainAllEntries toContainAllKeys toContainAllValues toContainAnyEntries toContainAnyKeys
    toContainAnyValues toContainEntries toContainEntry toContainKey toContainKeys toContainValue toContainValues
    toEndWith toEqualCaseInsensitive toEqualIgnoringWhitespace toInclude toIncludeAllMembers
    toIncludeAllPartialMembers toIncludeAnyMembers toIncludeMultiple toIncludeRepeated toIncludeSameMembers
    toIncludeSamePartialMembers toPartiallyContain toReject toResolve toSatisfyAll toSatisfyAny toStartWith
    toThrowWithMessage
  `
    .trim()
    .split(/\s+/),
  "jest-dom": `
    toAppearAfter toAppearBefore toBeChecked toBeDisabled toBeEmptyDOMElement toBeEnabled toBeInTheDOM
    toBeInTheDocument toBeInvalid toBePartiallyChecked toBePartiallyPressed toBePressed toBeRequired toBeValid
    toBeVisible toContainElement toContainHTML toHaveAccessibleDescription toHaveAccessibleErrorMessage
    toHaveAccessibleName toHaveAttribute toHaveClass toHaveDescription toHaveDisplayValue toHaveErrorMessage
    toHaveFocus toHaveFormValues toHaveRole toHaveSelection toHaveStyle toHaveTextContent toHaveValue
  `
    .trim()
    .split(/\s+/),
  "@langchain/core/testing": `
    toBeAIMessage toBeHumanMessage toBeSystemMessage toBeToolMessage toContainToolCall toHaveBeenInterrupted
    toHaveStructuredResponse toHaveToolCallCount toHaveToolCalls toHaveToolMessages toHaveStreamText
    toHaveStreamReasoning toHaveStreamToolCalls toHaveStreamUsage toHaveStreamOutput
  `
    .trim()
    .split(/\s+/),
};
